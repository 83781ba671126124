"""TensorFlow 1 style: a graph, placeholders, a session and feed_dict, on tf.compat.v1."""
import argparse
import hashlib

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=48)
args = parser.parse_args()

tf.set_random_seed(9)
rng = np.random.default_rng(9)

x = tf.placeholder(tf.float32, [None, 784], name="x")
labels = tf.placeholder(tf.int64, [None], name="labels")


def dense(inputs, units, name):
    with tf.variable_scope(name):
        w = tf.get_variable("w", [inputs.shape[-1], units], initializer=tf.glorot_uniform_initializer())
        b = tf.get_variable("b", [units], initializer=tf.zeros_initializer())
        return tf.matmul(inputs, w) + b


hidden = tf.nn.relu(dense(x, 128, "hidden"))
logits = dense(hidden, 10, "logits")
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
train_op = tf.train.AdamOptimizer(1e-3).minimize(loss)

losses = []
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(args.steps):
        feed = {x: rng.random((32, 784)), labels: rng.integers(0, 10, 32)}
        _, value = sess.run([train_op, loss], feed_dict=feed)
        losses.append(float(value))
    weights = sess.run(tf.trainable_variables())

print("losses", losses)
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in weights)).hexdigest())
