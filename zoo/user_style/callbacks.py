"""EarlyStopping, ModelCheckpoint and CSVLogger at once; the best weights are loaded again at the end."""
import argparse
import hashlib
import os
import tempfile

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=24, help="training steps per epoch")
parser.add_argument("--epochs", type=int, default=6)
args = parser.parse_args()

tf.keras.utils.set_random_seed(55)
rng = np.random.default_rng(55)
x = rng.normal(size=(args.steps * 16, 14)).astype("float32")
y = (x[:, :2].sum(axis=1) + rng.normal(size=len(x)) > 0).astype("float32")

model = tf.keras.Sequential([
    tf.keras.Input(shape=(14,)),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile(optimizer=tf.keras.optimizers.Adam(0.02), loss="binary_crossentropy", metrics=["accuracy"])

with tempfile.TemporaryDirectory() as folder:
    best = os.path.join(folder, "best.weights.h5")
    history = model.fit(
        x,
        y,
        batch_size=16,
        epochs=args.epochs,
        validation_split=0.25,
        callbacks=[
            tf.keras.callbacks.EarlyStopping(patience=2, restore_best_weights=True),
            tf.keras.callbacks.ModelCheckpoint(best, save_best_only=True, save_weights_only=True),
            tf.keras.callbacks.CSVLogger(os.path.join(folder, "log.csv")),
        ],
        verbose=0,
    )
    model.load_weights(best)
    with open(os.path.join(folder, "log.csv")) as log:
        print("epochs logged", len(log.readlines()) - 1)

print("history", history.history)
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
