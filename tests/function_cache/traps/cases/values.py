"""Values that a traced function finds in globals, closures, arguments, containers."""

import collections
import dataclasses
import enum
import functools

import numpy as np
import tensorflow as tf

from cases import pick

X = tf.constant([1.0, 2.0, 3.0])
NUMBER = 1.0
TABLE = {"scale": 1.0}
NESTED = {"deep": [{"value": (1.0, 2.0)}]}
FACTORS = [1.0, 2.0]
NAMES = {"plain"}


def global_number():
    global NUMBER
    NUMBER = pick(1.5, 2.5)

    @tf.function
    def f(x):
        return x * NUMBER

    return [f(X)]


def global_number_two_calls_away():
    global NUMBER
    NUMBER = pick(1.5, 2.5)

    def helper(x):
        return [helper_of_helper(v) for v in (x,)][0]

    def helper_of_helper(x):
        return x * NUMBER

    @tf.function
    def f(x):
        return helper(x)

    return [f(X)]


def global_dictionary():
    TABLE["scale"] = pick(1.5, 2.5)

    @tf.function
    def f(x):
        return x * TABLE["scale"]

    return [f(X)]


def deep_container():
    NESTED["deep"][0]["value"] = (1.0, pick(2.0, 3.0))

    @tf.function
    def f(x):
        return x * NESTED["deep"][0]["value"][1]

    return [f(X)]


def dictionary_order():
    steps = pick({"add": 1.0, "multiply": 2.0}, {"multiply": 2.0, "add": 1.0})

    @tf.function
    def f(x):
        for name, value in steps.items():
            x = x + value if name == "add" else x * value
        return x

    return [f(X)]


def list_order():
    FACTORS[:] = pick([0.1, 0.7], [0.7, 0.1])

    @tf.function
    def f(x):
        for factor in FACTORS:
            x = x * x + factor
        return x

    return [f(X)]


def set_membership():
    NAMES.clear()
    NAMES.update(pick({"plain"}, {"plain", "squared"}))

    @tf.function
    def f(x):
        return x * x if "squared" in NAMES else x

    return [f(X)]


def closure_number():
    factor = pick(2.0, 3.0)

    @tf.function
    def f(x):
        return x * factor

    return [f(X)]


def closure_rebound_after_decoration():
    factor = 1.0

    @tf.function
    def f(x):
        return x * factor

    factor = pick(2.0, 3.0)
    return [f(X)]


def integer_or_float():
    power = pick(2, 2.5)

    @tf.function
    def f(x):
        return x**power

    return [f(X)]


def true_or_one():
    flag = pick(True, 1)

    @tf.function
    def f(x):
        return x * 2.0 if flag is True else x * 3.0

    return [f(X)]


def negative_zero():
    zero = pick(0.0, -0.0)

    @tf.function
    def f(x):
        return tf.math.atan2(tf.constant(zero), tf.constant(-1.0)) * x

    return [f(X)]


def last_bit():
    number = pick(0.1, np.nextafter(0.1, 1.0).item())

    @tf.function
    def f(x):
        return tf.cast(x, tf.float64) * number

    return [f(X)]


def captured_array():
    array = np.array([1.0, 2.0, pick(3.0, 4.0)], "float32")

    @tf.function
    def f(x):
        return x * array

    return [f(X)]


def big_array_last_element():
    array = np.zeros(5000, "float32")
    array[-1] = pick(1.0, 2.0)

    @tf.function
    def f(x):
        return x * tf.reduce_sum(array)

    return [f(X)]


def array_of_another_layout():
    array = np.arange(9, dtype="float32").reshape(3, 3)
    array = pick(array, array.T)

    @tf.function
    def f(x):
        return tf.linalg.matvec(array, x)

    return [f(X)]


def small_eager_tensor():
    tensor = tf.constant([pick(1.0, 2.0)])

    @tf.function
    def f(x):
        return x * tensor

    return [f(X)]


def value_of_a_variable_baked_in():
    variable = tf.Variable(pick(1.0, 2.0))

    @tf.function
    def f(x):
        with tf.init_scope():
            known = float(variable.numpy())
        return x * known

    return [f(X)]


def value_of_a_variable_through_init_scope():
    variable = tf.Variable(pick(1.0, 2.0))

    @tf.function
    def f(x):
        with tf.init_scope():
            doubled = variable * 2.0
        return x * doubled

    return [f(X)]


def mean_of_a_big_tensor_baked_in():
    big = tf.constant(np.full(400, pick(1.0, 2.0), "float32"))

    @tf.function
    def f(x):
        with tf.init_scope():
            mean = tf.reduce_mean(big)
        return x * mean

    return [f(X)]


def big_tensor_through_numpy():
    big = tf.constant(np.full(400, pick(1.0, 2.0), "float32"))

    @tf.function
    def f(x):
        with tf.init_scope():
            total = float(np.asarray(big).sum())
        return x * total

    return [f(X)]


def aliased_or_equal_variables():
    first = tf.Variable(1.0)
    second = pick(lambda: first, lambda: tf.Variable(1.0))()
    pair = [first, second]

    @tf.function
    def f(x):
        pair[0].assign_add(1.0)
        return x * pair[1]

    return [f(X), f(X)]


def swapped_variables_of_one_shape():
    one, two = tf.Variable(1.0), tf.Variable(10.0)
    variables = pick({"a": one, "b": two}, {"a": two, "b": one})

    @tf.function
    def f(x):
        return x * variables["a"] + variables["b"]

    return [f(X)]


def variable_dtype():
    variable = tf.Variable(1.0 / 3.0, dtype=pick(tf.float32, tf.float64))

    @tf.function
    def f(x):
        return tf.cast(x, variable.dtype) * variable

    return [f(X)]


def variable_not_trainable():
    variable = tf.Variable(2.0, trainable=pick(True, False))

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            y = x * variable
        gradient = tape.gradient(y, variable)
        return y if gradient is None else y + gradient

    return [f(X)]


def python_integer_argument():
    @tf.function
    def f(x, n):
        for _ in range(n):
            x = x * 1.5
        return x

    return [f(X, pick(2, 3))]


def batch_shape():
    @tf.function
    def f(x):
        return tf.reduce_sum(x) / (x.shape[0] + 1)

    return [f(tf.ones([pick(3, 4), 2]) * tf.constant([[1.0, 0.5]]))]


def argument_dtype():
    @tf.function
    def f(x):
        return x / 3

    return [f(tf.constant([1.0, 2.0], pick(tf.float32, tf.float64)))]


def default_argument():
    def scale(x, by=pick(1.5, 2.5)):
        return x * by

    @tf.function
    def f(x):
        return scale(x)

    return [f(X)]


def default_argument_replaced():
    def scale(x, by=1.5):
        return x * by

    scale.__defaults__ = (pick(1.5, 2.5),)

    @tf.function
    def f(x):
        return scale(x)

    return [f(X)]


def keyword_default_argument():
    def scale(x, *, by=1.5):
        return x * by

    scale.__kwdefaults__ = {"by": pick(1.5, 2.5)}

    @tf.function
    def f(x):
        return scale(x)

    return [f(X)]


def partial():
    def scale(x, by):
        return x * by

    scaled = functools.partial(scale, by=pick(1.5, 2.5))

    @tf.function
    def f(x):
        return scaled(x)

    return [f(X)]


class Mode(enum.Enum):
    ADD = 1.0
    MULTIPLY = 2.0


def enumeration():
    mode = pick(Mode.ADD, Mode.MULTIPLY)

    @tf.function
    def f(x):
        return x + x if mode is Mode.ADD else x * x

    return [f(X)]


@dataclasses.dataclass
class Settings:
    scale: float = 1.0


@dataclasses.dataclass(frozen=True)
class Frozen:
    scale: float = 1.0


def data_class():
    settings = Settings(pick(1.5, 2.5))

    @tf.function
    def f(x):
        return x * settings.scale

    return [f(X)]


def frozen_data_class():
    settings = Frozen(pick(1.5, 2.5))

    @tf.function
    def f(x):
        return x * settings.scale

    return [f(X)]


Point = collections.namedtuple("Point", "x y")


def named_tuple():
    point = Point(1.0, pick(2.0, 3.0))

    @tf.function
    def f(x):
        return x * point.y

    return [f(X)]


def numpy_scalar():
    scale = np.float32(pick(1.5, 2.5))

    @tf.function
    def f(x):
        return x * scale

    return [f(X)]


def string_that_names_an_operation():
    name = pick("tanh", "sigmoid")

    @tf.function
    def f(x):
        return getattr(tf, name)(x)

    return [f(X)]


def cached_result():
    @functools.lru_cache(maxsize=None)
    def setting(name):
        return SETTING[name]

    SETTING = {"scale": pick(1.5, 2.5)}
    setting("scale")
    SETTING["scale"] = 0.0

    @tf.function
    def f(x):
        return x * setting("scale")

    return [f(X)]


def chained_map():
    settings = collections.ChainMap({"scale": pick(1.5, 2.5)}, {"scale": 9.0})

    @tf.function
    def f(x):
        return x * settings["scale"]

    return [f(X)]


def deque_of_numbers():
    recent = collections.deque([pick(1.5, 2.5)], maxlen=3)

    @tf.function
    def f(x):
        return x * recent[-1]

    return [f(X)]


def captured_dtype():
    dtype = pick(tf.float32, tf.float64)

    @tf.function
    def f(x):
        return tf.cast(x, dtype) / 3

    return [f(X)]


def attribute_put_on_a_variable():
    w = tf.Variable([1.0, 2.0, 3.0])
    w.factor = pick(1.5, 2.5)

    @tf.function
    def f(x):
        return x * w * w.factor

    return [f(X)]


def attribute_put_on_a_tensor():
    scale = tf.constant([1.0, 2.0, 3.0])
    scale._factor = pick(1.5, 2.5)

    @tf.function
    def f(x):
        return x * scale * scale._factor

    return [f(X)]


class Measured(np.ndarray):
    """An array with a unit."""


def attribute_of_an_array():
    table = np.array([1.0, 2.0, 3.0], "float32").view(Measured)
    table.factor = pick(1.5, 2.5)

    @tf.function
    def f(x):
        return x * np.asarray(table) * table.factor

    return [f(X)]


def attribute_put_on_a_traced_function():
    @tf.function
    def inner(x):
        return x * 2.0

    inner.factor = pick(1.5, 2.5)

    @tf.function
    def f(x):
        return inner.python_function(x) * inner.factor

    return [f(X)]


def mask_of_an_array():
    table = np.ma.masked_array(np.array([1.0, 2.0, 3.0], "float32"), mask=pick([1, 0, 0], [0, 1, 0]))

    @tf.function
    def f(x):
        return x * table.filled(0.0)

    return [f(X)]


def attribute_put_on_a_partial_function():
    doubled = functools.partial(lambda factor, x: factor * x, 2.0)
    doubled.offset = pick(1.5, 2.5)

    @tf.function
    def f(x):
        return doubled(x) + doubled.offset

    return [f(X)]


class AnswersForItself:
    """Its attributes are not where they usually are."""

    def __getattribute__(self, name):
        return object.__getattribute__(self, "answers").get(name)


def object_that_answers_for_itself():
    told = AnswersForItself()
    object.__setattr__(told, "answers", {"factor": pick(1.5, 2.5)})

    @tf.function
    def f(x):
        return x * told.factor

    return [f(X)]
