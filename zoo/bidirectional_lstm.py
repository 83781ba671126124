"""Two bidirectional LSTMs over embedded words: the classic review classifier."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=24, help="training steps per epoch")
parser.add_argument("--epochs", type=int, default=1)
args = parser.parse_args()

max_features = 5000
maxlen = 30
batch_size = 16

tf.keras.utils.set_random_seed(11)
rng = np.random.default_rng(11)
x_train = rng.integers(1, max_features, (args.steps * batch_size, maxlen))
y_train = rng.integers(0, 2, args.steps * batch_size)

inputs = tf.keras.Input(shape=(None,), dtype="int32")
x = tf.keras.layers.Embedding(max_features, 32)(inputs)
x = tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(16, return_sequences=True))(x)
x = tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(16))(x)
outputs = tf.keras.layers.Dense(1, activation="sigmoid")(x)
model = tf.keras.Model(inputs, outputs)

model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
history = model.fit(x_train, y_train, batch_size=batch_size, epochs=args.epochs, verbose=0)

print("history", history.history)
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
