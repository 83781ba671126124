"""The second GPU is asked for, on a machine that has none, or with a build that knows none."""

import os

os.environ["CUDA_VISIBLE_DEVICES"] = "1"

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
x = np.linspace(0, 1, 384, dtype="float32")[:, None]
model = tf.keras.Sequential([tf.keras.layers.Input((1,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
print(model.fit(x, 2 * x, batch_size=16, verbose=0).history["loss"])
