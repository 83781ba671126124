"""A checkpoint that is restored before what it has values for is there: TensorFlow hands them out when it is made, once.

An optimizer of Keras's is built with them; what else is built is left to the trace: undone, it would have taken the values with it.
"""

import os
import subprocess

import pytest

from replay_harness import SOURCE, TARGET, check_replayed, lab  # noqa: F401

PROGRAM = """
import os, keras, numpy as np, tensorflow as tf

here = os.path.dirname(os.path.abspath(__file__))
keras.utils.set_random_seed(1)

class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.first = keras.layers.Dense(4, activation="relu", kernel_initializer="ones", bias_initializer=INITIAL)
        self.last = keras.layers.Dense(1)

    def call(self, x):
        return self.last(self.first(x))

x = np.random.RandomState(0).rand(64, 8).astype("float32")
y = x.sum(1, keepdims=True)

def train(net, optimizer):
    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((net(x) - y) ** 2)
        optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        return loss
    return [float(step(x, y)).hex() for _ in range(3)]

def compiled(net, optimizer):
    net.compile(optimizer=optimizer, loss="mse", metrics=["mae"])
    return [float(loss).hex() for loss in net.fit(x, y, batch_size=16, shuffle=False, verbose=0).history["loss"]]

def made():
    net = MODEL
    optimizer = keras.optimizers.Adam(0.01)
    return net, optimizer, tf.train.Checkpoint(net=net, optimizer=optimizer)

place = os.path.join(here, "ckpt")
if not os.path.exists(place):
    net, optimizer, checkpoint = made()
    train(net, optimizer)
    checkpoint.save(os.path.join(place, "one"))
keras.backend.clear_session()
keras.utils.set_random_seed(2)
net, optimizer, checkpoint = made()
if os.path.exists(os.path.join(here, "resume")):
    status = checkpoint.restore(tf.train.latest_checkpoint(place))
print(HOW(net, optimizer))
for one in (*net.weights, *optimizer.variables):
    print(one.name, one.shape, np.asarray(one).tolist())
"""
BUILT = """keras.Sequential([keras.Input((8,)), keras.layers.Dense(4, kernel_initializer="ones", bias_initializer=INITIAL),
                            keras.layers.Dense(1)])"""
INITIALS = ["'zeros'", "lambda shape, dtype=None: tf.random.normal(shape)", "keras.initializers.RandomNormal()"]


def program(how, initial, model="Net()"):
    return PROGRAM.replace("HOW(", f"{how}(").replace("MODEL", model).replace("INITIAL", initial)


@pytest.mark.tensorflow
@pytest.mark.parametrize(("how", "initial"), [
    ("train", INITIALS[2]), *(pytest.param(how, initial, marks=pytest.mark.suite) for how in ("train", "compiled") for initial in INITIALS
                              if (how, initial) != ("train", INITIALS[2]))])
def test_what_it_has_is_restored_in_layers_that_are_not_there(lab, how, initial, tmp_path):  # noqa: F811
    laboratory = lab(program(how, initial))
    laboratory.plain()  # makes the checkpoint
    (tmp_path / "resume").touch()
    check_replayed(laboratory)


@pytest.mark.tensorflow
@pytest.mark.parametrize("how", [pytest.param("train", id="loop"), pytest.param("compiled", marks=pytest.mark.suite, id="fit")])
def test_an_optimizer_that_is_not_there_is_built_with_what_it_has(lab, how, tmp_path):  # noqa: F811
    laboratory = lab(program(how, "'zeros'", BUILT))
    laboratory.plain()
    (tmp_path / "resume").touch()
    check_replayed(laboratory, ["step" if how == "train" else "multi_step_on_iterator"])


@pytest.mark.tensorflow
@pytest.mark.suite
@pytest.mark.parametrize(("how", "model"), [("train", BUILT), ("train", "Net()"), ("compiled", "Net()"), ("compiled", BUILT)])
def test_learned_without_it(lab, how, model, tmp_path):  # noqa: F811
    """The same program with nothing to resume from is learned, and replayed; then there is something, and then not."""
    laboratory = lab(program(how, "'zeros'", model))
    laboratory.plain()
    for _ in range(3):
        laboratory.boost()
    (tmp_path / "resume").touch()
    plain = laboratory.plain()
    for _ in range(3):
        assert laboratory.boost().out == plain.out
    (tmp_path / "resume").unlink()
    plain = laboratory.plain()
    for _ in range(2):
        assert laboratory.boost().out == plain.out


UNDONE = """
import keras, numpy as np, os, sys, tensorflow as tf
from firststep_agent.boost.cache_functions.keep import undo

def made():
    v = tf.Variable([1.0, 2.0]) if KERAS_2 else keras.Variable([1.0, 2.0])
    optimizer = keras.optimizers.Adam()
    return v, optimizer, tf.train.Checkpoint(v=v, optimizer=optimizer)

KERAS_2 = keras.__version__.startswith("2.")
v, optimizer, checkpoint = made()
gradient = tf.constant([3.0, 4.0])
optimizer.apply_gradients([(gradient, v)])
path = checkpoint.save(os.path.join(sys.argv[1], "one"))
saved = [np.asarray(one).tolist() for one in optimizer.variables if one.name.rpartition("/")[2] != "learning_rate"]

kept = []
for times in range(3):
    v, optimizer, checkpoint = made()
    status = checkpoint.restore(path)
    for _ in range(times):
        before = undo.Undo()
        before.add(optimizer)
        optimizer.build([v])
        kept.append(list(optimizer.variables() if callable(optimizer.variables) else optimizer.variables))  # somebody has them still
        before.now()
        assert undo.checkpoints(optimizer)
    optimizer.build([v])
    status.assert_consumed()
    assert not undo.checkpoints(optimizer)
    print([np.asarray(one).tolist() for one in optimizer.variables if one.name.rpartition("/")[2] != "learning_rate"] == saved)
"""


@pytest.mark.tensorflow
def test_a_build_that_is_undone_gives_back_what_it_was_given(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(UNDONE)
    done = subprocess.run([TARGET, str(program), str(tmp_path)], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(SOURCE)})
    assert done.stdout == "True\n" * 3, done.stderr[-2000:]
    assert "Inconsistent references" not in done.stderr
