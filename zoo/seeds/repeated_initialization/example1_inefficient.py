"""Example 1: Inefficient Initialization. Sessions need TensorFlow 1's mode: eager execution is disabled."""
import argparse
import hashlib

import tensorflow as tf

tf.compat.v1.disable_eager_execution()
tf.compat.v1.set_random_seed(1)

parser = argparse.ArgumentParser()
parser.add_argument("--rounds", type=int, default=10)
args = parser.parse_args()

for i in range(args.rounds):
    with tf.compat.v1.Session() as sess:
        W = tf.compat.v1.Variable(tf.random.normal([100, 100]))
        b = tf.compat.v1.Variable(tf.zeros([100]))
        sess.run(tf.compat.v1.global_variables_initializer())
        # ... further operations using W and b ...
        y = tf.matmul(tf.ones([1, 100]), W) + b
        loss = tf.reduce_mean(tf.square(y))
        train = tf.compat.v1.train.GradientDescentOptimizer(0.01).minimize(loss, var_list=[W, b])
        losses = [float(sess.run([train, loss])[1]) for _ in range(4)]
        weights = sess.run([W, b])
    print("round", i, "losses", losses)

print("weights", hashlib.sha256(b"".join(w.tobytes() for w in weights)).hexdigest())
