"""A finder that the program puts before Python's own is asked for what the program imports, and for nothing of ours."""

import os
import subprocess

import pytest
from programs import FIRSTSTEP, TARGET

PROGRAM = """
import atexit, sys
import keras, numpy as np, tensorflow as tf

class Finder:
    def __init__(self):
        self.names = []

    def find_spec(self, name, path=None, target=None):
        self.names.append(name)

finder = Finder()
sys.meta_path.insert(0, finder)
atexit.register(lambda: print(sorted(name for name in finder.names if name.startswith(("firststep", "encodings")))))
keras.utils.set_random_seed(1)
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, "relu"), keras.layers.Dropout(0.2), keras.layers.Dense(1)])
model.compile("adam", "mse", metrics=["mae"])
x, y = np.ones((32, 4), "float32"), np.ones((32, 1), "float32")
print(model.fit(x, y, verbose=0, epochs=2).history["loss"][-1].hex())

@tf.function
def step(x):
    for number in range(20):
        x = tf.tanh(x * 1.1 + float(number))
    return tf.reshape(x, [1])

print(float(step(tf.constant(0.5))[0]).hex())
v = tf.Variable(1.0)
with tf.GradientTape() as tape:
    loss = step(v)
print(float(tape.gradient(loss, v)).hex())
try:
    step(tf.ones(3))
except Exception as error:
    print(type(error).__name__)
"""


@pytest.mark.tensorflow
def test_a_finder_of_the_programs_is_asked_for_nothing_of_ours(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    environment = {**os.environ, "FIRSTSTEP_CACHE": str(tmp_path / "cache"), "XDG_STATE_HOME": str(tmp_path / "state"),
                   "TF_CPP_MIN_LOG_LEVEL": "3"}

    def out(*words):
        done = subprocess.run([*words, TARGET, "program.py"], cwd=tmp_path, capture_output=True, text=True, env=environment, timeout=600)
        assert done.returncode == 0, done.stderr
        return done.stdout

    plain = out()
    assert plain.splitlines()[-1] == "[]"
    boost = [*FIRSTSTEP, "boost", "--set", "cache-functions.replay_over_ms=0", "--proof", "wait", "--"]
    for words in ([*FIRSTSTEP, "record", "-o", str(tmp_path / "trace"), "--"], boost, boost, boost):
        assert out(*words) == plain
