"""A learning rate that decays is given to a `tf.function` as a Python number."""

import tensorflow as tf

tf.random.set_seed(1)
layers = [tf.Variable(tf.random.normal([32, 32], stddev=0.1)) for _ in range(20)]


@tf.function  # slow
def step(x, rate):
    with tf.GradientTape() as tape:
        for layer in layers:
            x = tf.tanh(x @ layer)
        loss = tf.reduce_sum(x * x)
    for layer, gradient in zip(layers, tape.gradient(loss, layers)):
        layer.assign_sub(rate * gradient)
    return loss


rate = 0.1
for _ in range(24):
    print(float(step(tf.ones([4, 32]), rate)))
    rate = rate * 0.9
