"""Seconds after ready a process is as it is plainly: its open files, threads, hooks, handlers, environment, and what runs on a step.

Compared with a plain run of the same program, at its fiftieth step and at its two hundredth. What stays is named here and declared in
docs/frameworks.md: the run's own function at the interpreter's exit, and the ones that stand for a graph's call.
"""

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from programs import TARGET

pytestmark = pytest.mark.tensorflow

LOOK = """
import atexit, builtins, gc, json, logging, os, signal, sys, threading, time, warnings
import numpy as np, tensorflow as tf

def name(value):
    value = getattr(value, "__func__", value)
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', type(value).__qualname__)}"

def without_place(text):
    return text.replace(os.path.dirname(os.environ["STATE"]), "")

def open_files():
    found = []
    for number in os.listdir("/proc/self/fd"):
        try:
            path = os.readlink(f"/proc/self/fd/{number}")
        except OSError:
            continue  # the listing's own
        found.append(path.replace(f"/proc/{os.getpid()}/", "/proc/self/"))  # TensorFlow 2.15 leaves its command line open
    return sorted(without_place(path.partition("[")[0]) for path in found)

def threads():
    here = threading.get_ident()
    ours = [frame for number, frame in sys._current_frames().items() if number != here]
    return [threading.enumerate().__len__(), sorted(name(type(each)) for each in threading.enumerate()), len(ours)]

def ours_in(step):
    # names of functions of ours that a step calls
    found = []
    def profile(frame, event, argument):
        if event == "call" and "firststep" in frame.f_globals.get("__name__", ""):
            found.append(frame.f_code.co_name)
    sys.setprofile(profile)
    try:
        step()
    finally:
        sys.setprofile(None)
    return found

def state(step):
    return {
        "open files": open_files(), "threads": threads(),
        "meta path": list(map(name, map(type, sys.meta_path))) + list(map(name, sys.meta_path)),
        "path hooks": list(map(name, sys.path_hooks)), "path": [one for one in sys.path if "program" not in one],
        "collector": [gc.isenabled(), gc.get_threshold(), list(map(name, gc.callbacks)), gc.get_freeze_count()],
        "signals": {number.name: name(signal.getsignal(number)) for number in signal.valid_signals() if hasattr(number, "name")},
        "mask": sorted(map(int, signal.pthread_sigmask(signal.SIG_BLOCK, ()))),
        "hooks": [name(each) for each in (sys.excepthook, sys.unraisablehook, threading.excepthook, sys.displayhook, sys.breakpointhook,
                                          builtins.__import__, warnings.showwarning, warnings.warn, sys.gettrace(), sys.getprofile())],
        "streams": [name(type(sys.stdout)), name(type(sys.stderr))],
        "logs": [[name(each) for each in logger.filters + logger.handlers] for logger in (logging.getLogger(), tf.get_logger())],
        "environment": {key: without_place(value) for key, value in os.environ.items() if key not in ("_", "STATE")},
        "functions of C": [name(type(each)) for each in (os.fork, os.execve, os.execv, os._exit, os.posix_spawn, gc.enable, open)],
        "monitoring": [sys.monitoring.get_tool(number) for number in range(6)] if hasattr(sys, "monitoring") else [],
        "modules": sorted(one for one in sys.modules if one.startswith("_firststep")),
        "at exit": atexit._ncallbacks(), "a step": ours_in(step),
    }

def is_ours(frame):
    return frame is not None and ("firststep" in frame.f_globals.get("__name__", "") or is_ours(frame.f_back))

def our_threads():
    here = threading.get_ident()
    return [number for number, frame in sys._current_frames().items() if number != here and is_ours(frame)]

def children():
    # Those that have not ended.
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            status, parent = open(f"/proc/{entry}/stat").read().rpartition(")")[2].split()[:2]
        except OSError:
            continue  # it is gone
        if int(parent) == os.getpid() and status != "Z":
            found.append(entry)
    return found

def look(step):
    if not os.path.exists(os.environ["STATE"]):
        time.sleep(4)  # what was learned is written from one second after ready on
    until = time.monotonic() + 300
    while (our_threads() or children()) and time.monotonic() < until:  # what is learned is written, and what is answered proved
        time.sleep(0.05)
    step()  # sees the verdict
    step()
    with open(os.environ["STATE"], "a") as file:
        file.write(json.dumps(state(step)) + "\\n")

def run(step):
    for number in range(201):
        step()
        if number in (50, 200):
            look(step)
"""
PROGRAMS = {
    "function": """
        w = tf.Variable(tf.ones([8, 8]))

        @tf.function
        def train(x):
            with tf.GradientTape() as tape:
                y = x
                for _ in range(60):
                    y = tf.tanh(tf.matmul(y, w))
                loss = tf.reduce_sum((y - 1.0) ** 2)
            w.assign_sub(0.001 * tape.gradient(loss, w))
            return loss

        run(lambda: train(tf.ones([2, 8])))
    """,
    # refused, for it names what nobody can digest: its optimised graph is found by content
    "refused": """
        w, numbers = tf.Variable(tf.ones([8, 8])), (number for number in range(3))

        @tf.function
        def train(x):
            with tf.GradientTape() as tape:
                y, _ = x, numbers
                for number in range(240):
                    y = tf.tanh(tf.matmul(y, w) + 0.01 * number)
                loss = tf.reduce_sum((y - 1.0) ** 2)
            w.assign_sub(0.001 * tape.gradient(loss, w))
            return loss

        run(lambda: train(tf.ones([2, 8])))
    """,
    "fit": """
        model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(8), tf.keras.layers.Dense(1)])
        model.compile("adam", "mse")
        run(lambda: model.train_on_batch(np.ones((4, 4), "float32"), np.ones((4, 1), "float32")))
        model.fit(np.ones((8, 4), "float32"), np.ones((8, 1), "float32"), batch_size=4, epochs=30, verbose=0)
        look(lambda: None)
    """,
    "eager": """
        dense, optimizer = tf.keras.layers.Dense(1), tf.keras.optimizers.Adam()
        dense.build((None, 4))

        def step():
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(dense(tf.ones([2, 4])) ** 2)
            optimizer.apply_gradients(zip(tape.gradient(loss, dense.trainable_variables), dense.trainable_variables))

        run(step)
    """,
}
# of ours on one step: at most these, by what the start did with the function
LEARNED = ["_call_flat", "may_execute"]
BY_CONTENT = ["_call_flat", "prepared", "may", "same", "may_execute", "execute"]
ANSWERED = ["captured_inputs", "_call_flat", "prepared", "may_execute", "call", "execute"]
AT_EXIT = 2  # more functions than plainly: the run's own end, and `weakref.finalize`'s, which a program may have had no use for


@pytest.fixture(scope="module",
                params=[name if name == "function" else pytest.param(name, marks=pytest.mark.suite) for name in PROGRAMS])
def plain(request, tmp_path_factory):
    """(The program, what its process is like plainly.)"""
    folder = tmp_path_factory.mktemp("plain")
    program = folder / "program.py"
    program.write_text(LOOK + textwrap.dedent(PROGRAMS[request.param]))
    return program, states(folder, program)


def states(folder, program, *command):
    """What the process was like, by steps."""
    told = folder / "state"
    told.unlink(missing_ok=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment |= {"FIRSTSTEP_CACHE": str(folder / "kept"), "TF_CPP_MIN_LOG_LEVEL": "3", "XDG_STATE_HOME": str(folder / "told"),
                    "STATE": str(told)}
    before = [sys.executable, "-m", "firststep.cli", *command, "--"] if command else []
    ran = subprocess.run([*before, TARGET, str(program)], env=environment, capture_output=True, text=True, timeout=600)
    assert ran.returncode == 0, ran.stderr
    return list(map(json.loads, Path(told).read_text().splitlines()))


@pytest.fixture
def place(plain, tmp_path):
    return Place(tmp_path, *plain)


class Place:
    """A program, and a cache whose path has no word of ours."""

    def __init__(self, folder, program, plain):
        self.folder, self.program, self.plain = folder, program, plain

    def check(self, *command, steps=()):
        """steps: of ours that a step may call, one of these lists."""
        for plain, found in zip(self.plain, states(self.folder, self.program, *command), strict=True):
            assert not [path for path in found["open files"] if path.startswith("/kept") or "firststep-" in path]
            assert found.pop("at exit") - plain["at exit"] in range(AT_EXIT + 1)
            step = found.pop("a step")
            assert step == [] or sorted(step) in map(sorted, steps), step
            assert {name: (plain[name], value) for name, value in found.items() if value != plain[name]} == {}


def test_recorded(place):
    place.check("record", "-o", str(place.folder / "a.trace"))


def test_boosted_when_it_learns_confirms_and_answers(place):
    for steps in ((LEARNED, BY_CONTENT), (BY_CONTENT,), (ANSWERED, BY_CONTENT)):
        place.check("boost", "--proof", "wait", "--set", "cache-functions.replay_over_ms=0", steps=steps)


@pytest.mark.suite
def test_boosted_as_it_is_by_default(place):
    for _ in range(4):
        place.check("boost", "--set", "cache-functions.replay_over_ms=0", steps=(LEARNED, BY_CONTENT, ANSWERED))
