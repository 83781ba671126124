"""Example 1: Minimizing Graph Construction Overhead (Static Graph).

The snippet leaves the graph it built before it opens its session, which then finds no variables. Completed
the way its author must have meant it: build_graph also returns the graph, and the session is opened on it.
"""
import hashlib

import numpy as np
import tensorflow as tf


# Define the computation graph only once
def build_graph():
    with tf.compat.v1.Graph().as_default() as graph:
        tf.compat.v1.set_random_seed(1)
        x = tf.compat.v1.placeholder(tf.float32, [None, 784])
        W = tf.compat.v1.Variable(tf.zeros([784, 10]))
        b = tf.compat.v1.Variable(tf.zeros([10]))
        y = tf.matmul(x, W) + b
        labels = tf.compat.v1.placeholder(tf.int64, [None])
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=y))
        train_op = tf.compat.v1.train.GradientDescentOptimizer(0.1).minimize(loss)
        return graph, x, y, W, b, labels, loss, train_op


# Build the graph outside the main loop
graph, x, y, W, b, labels, loss, train_op = build_graph()

rng = np.random.default_rng(1)
losses = []
with tf.compat.v1.Session(graph=graph) as sess:
    sess.run(tf.compat.v1.global_variables_initializer())
    for _ in range(48):
        feed = {x: rng.random((32, 784)), labels: rng.integers(0, 10, 32)}
        losses.append(float(sess.run([train_op, loss], feed_dict=feed)[1]))
    weights = sess.run([W, b])

print("losses", losses)
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in weights)).hexdigest())
