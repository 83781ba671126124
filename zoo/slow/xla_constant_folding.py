"""A large table is a constant of a function that XLA compiles, which works out what follows from it while it compiles."""

import numpy as np
import tensorflow as tf

TABLE = np.arange(8_000_000, dtype="float32").reshape(800, 10000)


@tf.function(jit_compile=True)
def step(x):
    weights = tf.reduce_sum(tf.sin(TABLE) * tf.cos(TABLE), axis=0)
    return tf.reduce_sum(x * weights)


print(float(step(tf.ones([10000]))))
