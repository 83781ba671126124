"""A toy shows that all is installed, and is ready at once; the model that the program is for comes after it."""

import tensorflow as tf


def trainer(layers):
    """A step of so many layers."""
    weights = tf.Variable(tf.random.normal([16, 16], seed=1))

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            y = x
            for _ in range(layers):
                y = tf.tanh(y @ weights)
            loss = tf.reduce_sum(y)
        weights.assign_sub(0.01 * tape.gradient(loss, weights))
        return loss

    return step


toy, model = trainer(1), trainer(400)
print("toy", float(toy(tf.ones([1, 16]))))
print("model", float(model(tf.ones([8, 16]))))  # slow
