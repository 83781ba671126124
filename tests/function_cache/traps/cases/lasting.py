"""Traps that cannot be undone within a process: they come last."""

import tensorflow as tf

from cases import pick

X = tf.constant([1.0, 2.0, 3.0])


def conversion_registry():
    class Wrapped:
        def __init__(self, value):
            self.value = value

    scale = pick(1.5, 2.5)
    tf.register_tensor_conversion_function(Wrapped, lambda value, dtype=None, name=None, as_ref=False: tf.constant(value.value * scale))
    wrapped = Wrapped(2.0)

    @tf.function
    def f(x):
        return x * tf.convert_to_tensor(wrapped)

    return [f(X)]


def numpy_behaviour():
    from tensorflow.python.ops.numpy_ops import np_config

    if pick(False, True):
        np_config.enable_numpy_behavior()

    @tf.function
    def f(x):
        return x * 2.0 if hasattr(x, "ravel") else x * 3.0

    return [f(X)]
