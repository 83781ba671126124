"""A wide model of small layers, built one by one, for one prediction."""

import tensorflow as tf

inputs = tf.keras.layers.Input((16,))
parts = []
for _ in range(1500):
    parts.append(tf.keras.layers.Activation("relu")(inputs))  # slow
value = tf.keras.layers.Add()(parts)
model = tf.keras.Model(inputs, value)
print(float(tf.reduce_sum(model(tf.ones([1, 16]) * 1e-30))))
