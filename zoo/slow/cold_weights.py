"""Weights of 400 MB, read into a model that was built in code. They are written when they are first wanted."""

import os
import tempfile

import tensorflow as tf

WEIGHTS = os.path.join(os.environ.get("ZOO_DATA", tempfile.gettempdir()), "zoo_large.weights.h5")


def build():
    layers = [tf.keras.layers.Dense(5000, use_bias=False, kernel_initializer="zeros") for _ in range(4)]
    return tf.keras.Sequential([tf.keras.layers.Input((5000,)), *layers])


if not os.path.exists(WEIGHTS):
    made = WEIGHTS.replace(".weights", f"-{os.getpid()}.weights")
    build().save_weights(made)
    os.replace(made, WEIGHTS)
model = build()
model.load_weights(WEIGHTS)
print(float(tf.reduce_sum(model(tf.ones([1, 5000])))))
