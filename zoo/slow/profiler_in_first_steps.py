"""TensorBoard's callback profiles the first batches, as its documentation shows it."""

import tempfile

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
x = np.random.default_rng(0).normal(size=(384, 20)).astype("float32")
model = tf.keras.Sequential([tf.keras.layers.Input((20,)), tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
with tempfile.TemporaryDirectory() as folder:
    board = tf.keras.callbacks.TensorBoard(folder, profile_batch=(1, 3))
    print(model.fit(x, x.sum(axis=1), batch_size=16, verbose=0, callbacks=[board]).history["loss"])  # slow
