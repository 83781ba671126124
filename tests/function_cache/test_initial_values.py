"""The program's own code gives variables their first values, where layers are built inside a trace."""

import types

import pytest

from programs import has_keras_2
from replay_harness import check_replayed, lab  # noqa: F401

from firststep_agent.boost.cache_functions.keep import lifted

PROGRAM = """
import keras, numpy as np, tensorflow as tf

keras.utils.set_random_seed(1)

INITIALISER

class Own(keras.layers.Layer):
    def build(self, shape):
        self.w = self.add_weight(shape=(shape[-1], 3), initializer=INITIAL, name="w")

    def call(self, x):
        return tf.matmul(x, self.w)

class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.first = Own()
        self.second, self.last = keras.layers.Dense(4, kernel_initializer=INITIAL), keras.layers.Dense(1)

    def call(self, x):
        return self.last(self.second(self.first(x)))

x = np.random.RandomState(0).rand(64, 8).astype("float32")
y = x.sum(1, keepdims=True)
for model in (keras.Sequential([keras.layers.Dense(3, kernel_initializer=INITIAL), Own(), keras.layers.Dense(1)]), Model()):
    model.compile(optimizer="adam", loss="mse")
    try:
        print([float(loss).hex() for loss in model.fit(x, y, epochs=2, verbose=0).history["loss"]])
    except Exception as error:
        print(type(error).__name__)
        continue
    for one in model.weights:
        print(one.name, getattr(one, "path", None), one.dtype, one.numpy().tolist())
print(tf.Variable(1.0).name, tf.random.uniform(()).numpy(), np.random.random())
"""
FUNCTION = "def own(shape, dtype=None):\n    "
CLASS = "class Own_(keras.initializers.Initializer):\n    def __call__(self, shape, dtype=None):\n        "
SINE = """
class Sine(keras.initializers.Initializer):
    def __init__(self, w0):
        self.w0 = w0

    def __call__(self, shape, dtype=None):
        return tf.random.stateless_uniform(shape, seed=[1, 2], minval=-1 / self.w0, maxval=1 / self.w0) / 3.3 * 7.7 + 0.1
"""


def program(initialiser, initial="own"):
    return PROGRAM.replace("INITIALISER", initialiser).replace("INITIAL", initial)


def functions():
    """With Keras 2 layers are built where nothing is repeated."""
    return None if has_keras_2() else ["multi_step_on_iterator"] * 2


@pytest.mark.tensorflow
@pytest.mark.suite
@pytest.mark.parametrize(("initialiser", "initial"), [
    (FUNCTION + "return tf.ones(shape, dtype or 'float32') * 0.25 + np.float32(0.1)", "own"),
    (SINE, "Sine(30.0)"),
    (FUNCTION + "return tf.ones(shape) * (0.25 if tf.executing_eagerly() else 0.125)", "own"),
], ids=["function", "class", "asks-where-it-runs"])
def test_they_give_what_they_give_in_a_trace(lab, initialiser, initial):  # noqa: F811
    check_replayed(lab(program(initialiser, initial)), functions=functions())


@pytest.mark.tensorflow
@pytest.mark.suite
@pytest.mark.parametrize(("initialiser", "initial"), [
    (FUNCTION + "return np.linspace(0, 1, shape[0] * shape[1]).reshape(shape).astype('float32')", "own"),
    (FUNCTION + "return [[0.5] * shape[1]] * shape[0]", "own"),
    (CLASS + "return tf.eye(*shape) * (2.0 if tf.inside_function() else 3.0)", "Own_()"),
    (FUNCTION + """one = tf.ones(shape)
    try:
        return tf.constant(one.numpy() * 2)
    except Exception:
        return one * 3""", "own"),
    (FUNCTION + "return tf.constant(tf.ones(shape).numpy())", "own"),
    (FUNCTION + "return tf.ones(shape) / float(tf.ones([]) + 1)", "own"),
    (FUNCTION + "return tf.ones(shape) if tf.reduce_sum(tf.ones(shape)) > 3 else tf.zeros(shape)", "own"),
    (FUNCTION + "return tf.random.normal(shape)", "own"),
    (FUNCTION + "return tf.cast(tf.random.uniform(shape, maxval=9, dtype=tf.int32), tf.float32)", "own"),
    (FUNCTION + "return keras.random.normal(shape, seed=3)", "own"),
    (FUNCTION + "return np.random.random(shape).astype('float32')", "own"),
    (FUNCTION + "tf.random.uniform(shape)\n    return tf.ones(shape)", "own"),
    (FUNCTION + "tf.print('filled')\n    return tf.ones(shape)", "own"),
    (FUNCTION + "print('filled', tf.ones(shape).shape)\n    return tf.ones(shape)", "own"),
    (FUNCTION + "with tf.init_scope():\n        return tf.ones(shape) * (2.0 if tf.executing_eagerly() else 3.0)", "own"),
    (FUNCTION + "return base * tf.ones(shape)\nbase = tf.Variable(0.5)", "own"),
    (FUNCTION + "return tf.ones(shape, tf.float64)", "own"),
    ("own = lambda shape, dtype=None: glorot(shape, dtype) * 2\nglorot = keras.initializers.GlorotUniform(seed=3)", "own"),
    ("class Own_(keras.initializers.GlorotUniform):\n    pass", "Own_()"),
    ("class Own_(keras.initializers.GlorotUniform):\n    pass", "Own_(seed=4)"),
    ("import functools\nown = functools.partial(keras.initializers.Constant(0.25).__call__)", "own"),
], ids=["numpy", "list", "asks-inside", "tries", "fails", "converts", "branches", "draws", "draws-and-casts", "draws-by-seed", "draws-of-numpy",
        "draws-for-nothing", "prints-in-graph", "prints", "leaves-the-graph", "reads-a-variable", "another-type", "of-keras", "below-keras",
        "below-keras-by-seed", "partial"])
def test_whatever_they_do_the_results_are_the_plain_ones(lab, initialiser, initial):  # noqa: F811
    check_replayed(lab(program(initialiser, initial)))


MADE = """
import keras, numpy as np, tensorflow as tf

keras.utils.set_random_seed(1)

@keras.saving.register_keras_serializable(package="own")
class Metric(keras.metrics.Metric):
    def __init__(self, name="own", **more):
        super().__init__(name=name, **more)
        self.k = 2.0 if tf.executing_eagerly() else 3.0
        self.t = self.add_weight(name="t", shape=(), initializer="zeros")

    def update_state(self, y, p, sample_weight=None):
        self.t.assign_add(tf.reduce_sum(y) * self.k)

    def result(self):
        return self.t + 0.0

class Loss(keras.losses.Loss):
    def __init__(self, name="own"):
        super().__init__(name=name)
        self.k = 2.0 if tf.executing_eagerly() else 3.0

    def call(self, y, p):
        return tf.reduce_mean((y - p) ** 2) * self.k

x = np.random.RandomState(0).rand(64, 4).astype("float32")
y = x.sum(1, keepdims=True)
for loss, metrics in ((Loss, ["mae", Metric]), ("mse", {"out": [keras.metrics.MeanSquaredError, [Metric]]}), ("mse", ["own>Metric"])):
    inputs = keras.Input((4,))
    model = keras.Model(inputs, keras.layers.Dense(1, name="out")(inputs))
    try:
        model.compile("adam", loss, metrics=metrics)
        print(model.fit(x, y, epochs=2, verbose=0).history)
    except Exception as error:
        print(type(error).__name__)
"""


@pytest.mark.suite
@pytest.mark.tensorflow
def test_losses_and_metrics_that_a_trace_makes_of_the_programs_classes_are_made_there(lab):  # noqa: F811
    check_replayed(lab(MADE))


class Initialiser:
    """Of the program."""

    def __call__(self):
        return 1


def closure(value):
    def inside():
        return value

    code = inside.__code__.replace(co_filename=types.__file__.replace("types.py", "site-packages/keras/src/backend.py"))
    return types.FunctionType(code, {}, "inside", None, inside.__closure__)


@pytest.mark.parametrize(("given", "is_frameworks"), [
    (1, True), ("zeros", True), ((1, "float32"), True), (len, True), (lambda: 1, False), (Initialiser(), False), (Initialiser().__call__, False),
    ([Initialiser()], False)])
def test_whose_code_it_is(given, is_frameworks, monkeypatch):
    monkeypatch.setattr(lifted.ownership, "owner", lambda filename: lifted.ownership.FRAMEWORK if "site-packages/keras" in filename else
                        lifted.ownership.USER)
    assert lifted.is_frameworks(given) == is_frameworks
    assert lifted.is_frameworks(closure(given)) == is_frameworks
