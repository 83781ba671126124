"""Layers that make variables of tensors where they are built: `tf.Variable(tf.zeros(shape))`."""

import textwrap

import pytest

from programs import has_keras_2
from replay_harness import check_replayed, lab  # noqa: F401

pytestmark = pytest.mark.tensorflow

PROGRAM = """
import keras, numpy as np, tensorflow as tf

keras.utils.set_random_seed(1)
kept = []
size = tf.constant([1])

class Scaled(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units

    def build(self, shape):
        self.w = self.add_weight(shape=(shape[-1], self.units), initializer="glorot_uniform", name="w")
        BUILD

    def call(self, x):
        return CALL

class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.scaled, self.last = Scaled(4), keras.layers.Dense(1)

    def call(self, x):
        return self.last(self.scaled(x))

x = np.random.RandomState(0).rand(64, 8).astype("float32")
y = x.sum(1, keepdims=True)
for model in (keras.Sequential([Scaled(8), keras.layers.ReLU(), Scaled(1)]), Model()):
    model.compile(optimizer="adam", loss="mse")
    try:
        print([float(loss).hex() for loss in model.fit(x, y, epochs=2, verbose=0).history["loss"]])
    except Exception as error:
        print(type(error).__name__)
        continue
    for name, value in vars(model.layers[0]).items():
        if isinstance(value, tf.Variable):
            print(name, value.name, type(value).__name__, value.dtype.name, value.shape, value.trainable, value.device, value.numpy().tolist())
    print([(one.name, getattr(one, "path", None)) for one in model.variables], [one.name for one in model.trainable_variables])
print(tf.Variable(1.0).name, tf.random.uniform(()).numpy(), np.random.random())
"""
FILLED = """self.b = tf.Variable(tf.zeros([self.units]))
self.c = tf.Variable(tf.ones([shape[-1], 300]), trainable=False, name="scales")
self.d = tf.Variable(initial_value=tf.fill([2], 3), trainable=False, dtype=tf.int32)
self.e = tf.Variable(tf.constant([1.0, 2.0], tf.bfloat16), name="w")
self.f = tf.Variable(tf.zeros([], tf.bool), trainable=False)
"""


def program(build, call="tf.matmul(x, self.w)"):
    return PROGRAM.replace("BUILD", textwrap.indent(build, " " * 8).strip()).replace("CALL", call)


@pytest.mark.suite
def test_those_that_are_filled_with_constants_are_built_apart(lab):  # noqa: F811
    """In a model of a class of its own; a Sequential has them in the trace's own graph, where nothing may be put."""
    functions = None if has_keras_2() else ["multi_step_on_iterator"]
    check_replayed(lab(program(FILLED, "tf.matmul(x, self.w) + self.b + tf.reduce_sum(self.c[:, :1]) * 0.01")), functions=functions)


@pytest.mark.suite
@pytest.mark.parametrize(("build", "call"), [
    ("self.b = tf.Variable(tf.random.normal([self.units]))", "tf.matmul(x, self.w) + self.b"),
    ("self.b = tf.Variable(tf.random.normal(size))", "tf.matmul(x, self.w)[:, :1] + self.b"),
    ("self.b = tf.Variable(tf.zeros([self.units]) + 0.1)", "tf.matmul(x, self.w) + self.b"),
    ("self.b = tf.constant(2.0)", "tf.matmul(x, self.w) * self.b"),
    ("self.a = tf.Variable(tf.zeros([self.units])); self.b = tf.constant(2.0)", "tf.matmul(x, self.w) * self.b"),
    ("self.a = tf.Variable(tf.zeros([self.units])); kept.append(tf.constant(2.0))", "tf.matmul(x, self.w) * kept[-1]"),
    ("kept.append(tf.ones([]))", "tf.matmul(x, self.w) * kept[-1]"),
    ("self.b = tf.Variable(tf.zeros([self.units])); kept.append(len(tf.compat.v1.get_default_graph().get_operations()))",
     "tf.matmul(x, self.w) * kept[-1]"),
    ("self.b = tf.Variable(tf.zeros([self.units], tf.float64), dtype=tf.float32)", "tf.matmul(x, self.w)"),
], ids=["drawn", "drawn-of-a-tensor", "computed", "kept", "kept-and-filled", "kept-elsewhere", "kept-elsewhere-alone", "looks-at-the-graph", "another-type"])
def test_others_come_out_as_plainly(lab, build, call):  # noqa: F811
    check_replayed(lab(program(build, call)))
