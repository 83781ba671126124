"""Batches of every size for a step that XLA compiles: one trace serves them all, and each size is a program of its own."""

import tensorflow as tf

weights = tf.Variable(tf.random.normal([64, 64], seed=1))


@tf.function(jit_compile=True, input_signature=[tf.TensorSpec([None, 64])])  # slow
def step(x):
    with tf.GradientTape() as tape:
        y = x
        for _ in range(15):
            y = tf.tanh(y @ weights)
        loss = tf.reduce_sum(y)
    weights.assign_sub(0.01 * tape.gradient(loss, weights))
    return loss


for size in range(1, 25):
    print(size, float(step(tf.ones([size, 64]))))
