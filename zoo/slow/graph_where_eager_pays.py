"""A command that makes one prediction with `predict`, which traces and optimises a function for it."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
inputs = tf.keras.layers.Input((32,))
value = inputs
for _ in range(60):
    value = tf.keras.layers.LayerNormalization()(tf.keras.layers.Dense(32, activation="gelu")(value) + value)
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(value))
print(model.predict(np.ones((1, 32), "float32"), verbose=0).tolist())  # slow
