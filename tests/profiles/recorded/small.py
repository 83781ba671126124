"""A small model trained for two steps under TensorFlow's own profiler, from before its first step."""
import sys

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
tf.profiler.experimental.start(sys.argv[1])
model.fit(tf.zeros([8, 8]), tf.zeros([8, 1]), batch_size=4, verbose=0)
tf.profiler.experimental.stop()
