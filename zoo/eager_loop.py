"""Everything eager: a GradientTape and apply_gradients in a plain Python loop, no tf.function."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=48)
args = parser.parse_args()

tf.keras.utils.set_random_seed(21)
rng = np.random.default_rng(21)
x = rng.normal(size=(args.steps, 32, 20)).astype("float32")
y = x.sum(axis=-1, keepdims=True)

model = tf.keras.Sequential([
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(1),
])
optimizer = tf.keras.optimizers.Adam(0.01)

losses = []
for step in range(args.steps):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x[step], training=True) - y[step]))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    losses.append(float(loss))

print("losses", losses)
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
