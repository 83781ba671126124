"""One session, and a new loss in every round: the graph grows, and each run has to take the new part in."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [None, 50])
weights = tf.get_variable("weights", [50, 50])
y = tf.matmul(x, weights)
data = np.random.default_rng(0).normal(size=(32, 50))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    losses = []
    for target in range(300):
        loss = tf.reduce_mean(tf.square(y - float(target)))  # slow
        losses.append(session.run(loss, {x: data}))
print(losses[-3:])
