"""A search over settings: every combination has a model of its own, as many tutorials have it."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
x, y = rng.normal(size=(64, 10)).astype("float32"), rng.normal(size=(64, 1)).astype("float32")


def make(rate):
    tf.keras.utils.set_random_seed(1)
    model = tf.keras.Sequential([tf.keras.layers.Input((10,)), tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.Adam(rate), "mse")  # slow
    return model


for exponent in range(1, 9):
    model = make(2.0 ** -exponent)
    print(exponent, model.fit(x, y, verbose=0).history["loss"])
