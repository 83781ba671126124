"""Example 2: Efficient Initialization using a Single Session, in TensorFlow 1's mode (eager disabled)."""
import argparse
import hashlib

import tensorflow as tf

tf.compat.v1.disable_eager_execution()
tf.compat.v1.set_random_seed(2)

parser = argparse.ArgumentParser()
parser.add_argument("--rounds", type=int, default=10)
args = parser.parse_args()

with tf.compat.v1.Session() as sess:
    W = tf.compat.v1.Variable(tf.random.normal([100, 100]))
    b = tf.compat.v1.Variable(tf.zeros([100]))
    y = tf.matmul(tf.ones([1, 100]), W) + b
    loss = tf.reduce_mean(tf.square(y))
    train = tf.compat.v1.train.GradientDescentOptimizer(0.01).minimize(loss)
    sess.run(tf.compat.v1.global_variables_initializer())
    for i in range(args.rounds):
        # ... operations using W and b ...
        losses = [float(sess.run([train, loss])[1]) for _ in range(4)]
        print("round", i, "losses", losses)
    weights = sess.run([W, b])

print("weights", hashlib.sha256(b"".join(w.tobytes() for w in weights)).hexdigest())
