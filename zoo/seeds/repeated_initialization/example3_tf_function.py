"""Example 3: Initialization with tf.function (for TensorFlow 2.x); the operation trains W and b."""
import argparse
import hashlib

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--rounds", type=int, default=40)
args = parser.parse_args()

tf.random.set_seed(3)


@tf.function
def my_operation(W, b):
    # ... operations using W and b ...
    with tf.GradientTape() as tape:
        result = tf.reduce_mean(tf.square(tf.matmul(tf.ones([1, 100]), W) + b))
    dW, db = tape.gradient(result, [W, b])
    W.assign_sub(0.01 * dW)
    b.assign_sub(0.01 * db)
    return result


W = tf.Variable(tf.random.normal([100, 100]))
b = tf.Variable(tf.zeros([100]))

losses = []
for i in range(args.rounds):
    result = my_operation(W, b)
    # ... use the result ...
    losses.append(float(result))

print("losses", losses)
print("weights", hashlib.sha256(W.numpy().tobytes() + b.numpy().tobytes()).hexdigest())
