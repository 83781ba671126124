"""What boost must survive, with a real program: every remedy at work, every kind of entry kept. The results stay equal."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time

import pytest
from matrix import environment, version
from programs import damaged

pytestmark = pytest.mark.tensorflow

PROGRAM = """
import hashlib
import keras, numpy as np
import helper

keras.utils.set_random_seed(5)
data = np.random.RandomState(0)
x, y = data.rand(48, 6).astype("float32"), data.randint(0, 3, 48)
model = keras.Sequential([keras.Input((6,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dropout(0.2),
                          keras.layers.Dense(3)])
model.compile("adam", helper.loss, metrics=["accuracy"])
history = model.fit(x, y, batch_size=8, verbose=0)
print(history.history, hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
"""
HELPER = """
import tensorflow as tf

def loss(y, scores):
    scale = SCALE
    return scale * tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(tf.reshape(tf.cast(y, tf.int32), (-1,)), scores))
"""
KINDS = {"import-image", "overlap", "pause-garbage-collection", "prefetch-pages", "keep-compiled", "cache-functions", "savings"}


class Program:
    """The program in its box, and what it prints plainly."""

    def __init__(self, box, python):
        self.box, self.python = box, python
        box.write("program.py", PROGRAM)
        self.edit("1.0")

    def edit(self, scale):
        self.box.write("helper.py", HELPER.replace("SCALE", scale))
        plain = self.box.plain("program.py", python=self.python)
        assert plain.code == 0, plain.said
        self.expected = plain.out

    def check(self):
        ran = self.box.boost("program.py", python=self.python)
        assert (ran.code, ran.out) == (0, self.expected), ran.said
        return ran

    def entries(self):
        cache = self.box.cache
        return sorted(cache.glob("*/**/*.entry"))

    def learn(self):
        """Until there is an entry of every kind."""
        for _ in range(4):
            self.check()
            if {path.relative_to(self.box.cache).parts[0] for path in self.entries()} == KINDS:
                return
        raise AssertionError(f"kept: {self.entries()}")

    def start(self):
        command = [sys.executable, "-m", "firststep.cli", "boost", "--", self.python, "program.py"]
        return subprocess.Popen(command, cwd=self.box.folder, env=self.box.environment, text=True, start_new_session=True,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


@pytest.fixture
def program(box, tensorflow_python):
    return Program(box, tensorflow_python)


@pytest.mark.suite
def test_sixteen_starts_at_once_on_an_empty_cache(program):
    running = [program.start() for _ in range(16)]
    assert [one.communicate(timeout=900)[0] for one in running] == [program.expected] * 16
    program.learn()


@pytest.mark.suite
def test_killed_while_learning(program):
    choose = random.Random(3)
    began = time.monotonic()
    program.check()
    longest = time.monotonic() - began
    for number in range(30):
        if number % 3 == 0:  # else on what the kill before has left
            shutil.rmtree(program.box.cache)
        running = program.start()
        time.sleep(choose.uniform(0.2, longest))
        try:
            os.killpg(running.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        running.communicate()
    program.check()
    program.learn()


@pytest.mark.parametrize("rounds", [1, pytest.param(12, marks=pytest.mark.suite)])
def test_damaged_entries_of_every_kind(program, rounds):
    choose = random.Random(rounds)
    for _ in range(rounds):
        program.learn()
        for path in program.entries():
            path.write_bytes(damaged(path.read_bytes(), choose))
        program.check()


def test_one_of_the_programs_files_edited_between_runs(program):
    program.learn()
    before = program.expected
    program.edit("2.0")
    assert program.expected != before
    program.check()


@pytest.mark.suite
def test_two_tensorflow_versions_share_a_cache_and_nothing_in_it(program, box):
    other = environment(version("2.18"))
    if other is None:
        pytest.skip("TensorFlow 2.18 cannot be installed here")
    second = Program(box, str(other))
    for _ in range(3):
        program.check()
        second.check()
    assert len(list(box.cache.glob("import-image/*.entry"))) == 2
    assert len(list(box.cache.glob("cache-functions/*/*.entry"))) >= 2
