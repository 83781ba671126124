"""The functional API with three inputs and two outputs, each with its own loss and weight."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=24, help="training steps per epoch")
parser.add_argument("--epochs", type=int, default=1)
args = parser.parse_args()

tf.keras.utils.set_random_seed(48)
rng = np.random.default_rng(48)
count = args.steps * 16
titles = rng.integers(0, 500, (count, 10))
bodies = rng.integers(0, 500, (count, 40))
tags = rng.integers(0, 2, (count, 12)).astype("float32")

title_input = tf.keras.Input(shape=(None,), dtype="int32", name="title")
body_input = tf.keras.Input(shape=(None,), dtype="int32", name="body")
tags_input = tf.keras.Input(shape=(12,), name="tags")
embed = tf.keras.layers.Embedding(500, 16)
title_features = tf.keras.layers.GlobalAveragePooling1D()(embed(title_input))
body_features = tf.keras.layers.LSTM(16)(embed(body_input))
x = tf.keras.layers.Concatenate()([title_features, body_features, tags_input])
priority = tf.keras.layers.Dense(1, name="priority")(x)
department = tf.keras.layers.Dense(4, name="department")(x)
model = tf.keras.Model(
    [title_input, body_input, tags_input], {"priority": priority, "department": department}
)

model.compile(
    optimizer="rmsprop",
    loss={
        "priority": tf.keras.losses.BinaryCrossentropy(from_logits=True),
        "department": tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    },
    loss_weights={"priority": 1.0, "department": 0.2},
)
history = model.fit(
    {"title": titles, "body": bodies, "tags": tags},
    {
        "priority": rng.integers(0, 2, (count, 1)).astype("float32"),
        "department": rng.integers(0, 4, count),
    },
    batch_size=16,
    epochs=args.epochs,
    verbose=0,
)

print("history", history.history)
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
