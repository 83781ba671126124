"""A recurrence written with Python's `range`: every round of it stands in the graph, and so do its gradients."""

import tensorflow as tf

weights = tf.Variable(tf.eye(16) * 0.5)
optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def train(x):
    with tf.GradientTape() as tape:
        state = x
        for _ in range(400):  # slow
            state = tf.tanh(tf.matmul(state, weights) + 0.1)
        loss = tf.reduce_mean(state)
    optimizer.apply_gradients([(tape.gradient(loss, weights), weights)])
    return loss


print([float(train(tf.ones([2, 16]))) for _ in range(24)])
