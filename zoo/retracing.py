"""Traces over and over: batches of every length, a Python int argument, a function made in the loop."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=30)
args = parser.parse_args()

tf.keras.utils.set_random_seed(13)
rng = np.random.default_rng(13)

model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="tanh"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)
traces = 0


@tf.function
def train_step(x, y, step):
    global traces
    traces += 1
    scale = 1.0 / (1 + step)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2) * scale
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


losses, validation = [], []
for step in range(args.steps):
    length = int(rng.integers(4, 16))
    x = rng.normal(size=(length, 8)).astype("float32")
    y = np.sin(x.sum(axis=1, keepdims=True))
    losses.append(float(train_step(tf.constant(x), tf.constant(y), step // 3)))

    @tf.function
    def evaluate(x, y):
        return tf.reduce_mean(tf.abs(model(x) - y))

    if step % 5 == 0:
        validation.append(float(evaluate(x, y)))

print("traces", traces)
print("losses", losses)
print("validation", validation)
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
