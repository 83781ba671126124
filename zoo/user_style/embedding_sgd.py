"""Word pairs by plain SGD on an embedding: repeated words add their gradients in whatever order threads come."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=24, help="training steps per epoch")
parser.add_argument("--epochs", type=int, default=2)
args = parser.parse_args()

tf.keras.utils.set_random_seed(60)
rng = np.random.default_rng(60)
words = rng.zipf(1.3, (args.steps * 256, 40)) % 1000
likes = rng.random(args.steps * 256, dtype=np.float32)

model = tf.keras.Sequential([
    tf.keras.Input(shape=(40,), dtype="int32"),
    tf.keras.layers.Embedding(1000, 64),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(1),
])
model.compile(optimizer=tf.keras.optimizers.SGD(0.5), loss="mse")
history = model.fit(words, likes, batch_size=256, epochs=args.epochs, verbose=0)

print("history", history.history)
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
