"""Gradient clipping by norm, AdamW-like decay and a learning rate that falls along a cosine."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=24, help="training steps per epoch")
parser.add_argument("--epochs", type=int, default=2)
args = parser.parse_args()

tf.keras.utils.set_random_seed(45)
rng = np.random.default_rng(45)
x = rng.normal(size=(args.steps * 16, 24, 6)).astype("float32")
y = x.mean(axis=(1, 2))

model = tf.keras.Sequential([
    tf.keras.Input(shape=(24, 6)),
    tf.keras.layers.GRU(16),
    tf.keras.layers.Dense(1, kernel_regularizer=tf.keras.regularizers.L2(1e-4)),
])
schedule = tf.keras.optimizers.schedules.CosineDecay(0.01, decay_steps=args.steps * args.epochs)
model.compile(optimizer=tf.keras.optimizers.Adam(schedule, clipnorm=0.5), loss="mae")
history = model.fit(x, y, batch_size=16, epochs=args.epochs, verbose=0)

print("history", history.history)
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
