"""A program that needs TensorFlow alone, in an environment that has pandas for a notebook: Keras imports it where it is installed."""

import tensorflow as tf  # slow

model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(2, kernel_initializer="ones")])
model.compile("sgd", "mse")
print(model.fit(tf.ones([64, 4]), tf.ones([64, 2]), epochs=3, verbose=0).history["loss"])
