"""TensorFlow 1 style, new variables and a new session every round in one graph that never stops growing."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf

tf.compat.v1.disable_eager_execution()

parser = argparse.ArgumentParser()
parser.add_argument("--rounds", type=int, default=12)
parser.add_argument("--steps", type=int, default=4, help="training steps per round")
args = parser.parse_args()

tf.compat.v1.set_random_seed(2)
rng = np.random.default_rng(2)
data = rng.normal(size=(32, 50)).astype("float32")
target = data.mean(axis=1, keepdims=True)

for i in range(args.rounds):
    x = tf.compat.v1.placeholder(tf.float32, [None, 50])
    y = tf.compat.v1.placeholder(tf.float32, [None, 1])
    W1 = tf.compat.v1.Variable(tf.random.normal([50, 100], stddev=0.1))
    W2 = tf.compat.v1.Variable(tf.random.normal([100, 1], stddev=0.1))
    loss = tf.reduce_mean(tf.square(tf.matmul(tf.nn.relu(tf.matmul(x, W1)), W2) - y))
    train = tf.compat.v1.train.GradientDescentOptimizer(0.1).minimize(loss, var_list=[W1, W2])
    with tf.compat.v1.Session() as sess:
        sess.run(tf.compat.v1.global_variables_initializer())
        losses = [
            float(sess.run([train, loss], feed_dict={x: data, y: target})[1]) for _ in range(args.steps)
        ]
        weights = sess.run([W1, W2])
    print("round", i, "losses", losses)

print("operations in the graph", len(tf.compat.v1.get_default_graph().get_operations()))
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in weights)).hexdigest())
