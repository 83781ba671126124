"""A multi-layer perceptron on digit-sized vectors, compiled and trained with fit."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf
from tensorflow import keras

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=24, help="training steps per epoch")
parser.add_argument("--epochs", type=int, default=2)
args = parser.parse_args()

BATCH = 32
keras.utils.set_random_seed(1)
rng = np.random.default_rng(1)
x_train = rng.random((args.steps * BATCH, 784), dtype=np.float32)
y_train = rng.integers(0, 10, args.steps * BATCH)

model = keras.Sequential([
    keras.Input(shape=(784,)),
    keras.layers.Dense(128, activation="relu"),
    keras.layers.Dropout(0.2),
    keras.layers.Dense(64, activation="relu"),
    keras.layers.Dense(10),
])
model.compile(
    optimizer="adam",
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
history = model.fit(x_train, y_train, batch_size=BATCH, epochs=args.epochs, verbose=0)

print("tensorflow", tf.__version__)
print("history", history.history)
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
