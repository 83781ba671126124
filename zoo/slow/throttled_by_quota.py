"""An ordinary start with a matrix product on all CPUs: in a container with a quota it stands still most of the time."""

import tensorflow as tf

tf.random.set_seed(1)
matrix = tf.Variable(tf.random.normal([600, 600], stddev=0.01))


@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.matmul(matrix, matrix) ** 2)
    matrix.assign_sub(0.1 * tape.gradient(loss, matrix))
    return loss


print([float(step()) for _ in range(24)])
