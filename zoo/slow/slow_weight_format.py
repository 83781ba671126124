"""Four hundred small outputs, and their weights as `.weights.h5`: reading them is work for Python, and not for the disk.

They are written when they are first wanted.
"""

import os
import tempfile

import tensorflow as tf

WEIGHTS = os.path.join(os.environ.get("ZOO_DATA", tempfile.gettempdir()), "zoo_many_layers.weights.h5")

tf.keras.utils.set_random_seed(1)
inputs = tf.keras.layers.Input((8,))
model = tf.keras.Model(inputs, [tf.keras.layers.Dense(8, kernel_initializer="zeros")(inputs) for _ in range(400)])
if not os.path.exists(WEIGHTS):
    made = WEIGHTS.replace(".weights", f"-{os.getpid()}.weights")
    model.save_weights(made)
    os.replace(made, WEIGHTS)
model.load_weights(WEIGHTS)  # slow
print(float(tf.reduce_sum(model.layers[-1](tf.ones([1, 8])))))
