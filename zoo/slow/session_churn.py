"""Every setting gets a session of its own over one graph: it is handed over, optimised and made ready to run anew each time."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
rng = np.random.default_rng(1)
x = tf.placeholder(tf.float32, [None, 64])
rate = tf.placeholder(tf.float32, [])
y = x
for layer in range(20):
    y = tf.nn.relu(tf.matmul(y, tf.get_variable(f"weights_{layer}", initializer=rng.normal(0, 0.15, [64, 64]).astype("float32"))))
loss = tf.reduce_mean(tf.square(y - 1))
train = tf.train.GradientDescentOptimizer(rate).minimize(loss)
initialise = tf.global_variables_initializer()

data = np.ones([32, 64], "float32")
for number in range(1, 25):
    with tf.Session() as session:  # slow
        session.run(initialise)
        for _ in range(4):
            session.run(train, {x: data, rate: 0.001 * number})
        print(number, session.run(loss, {x: data}))
