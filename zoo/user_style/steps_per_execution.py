"""Four training steps in one call of the training function, and a learning rate lowered on a plateau."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=24, help="training steps per epoch")
parser.add_argument("--epochs", type=int, default=2)
args = parser.parse_args()

tf.keras.utils.set_random_seed(46)
rng = np.random.default_rng(46)
x = rng.random((args.steps * 16, 28, 28, 1), dtype=np.float32)
y = rng.integers(0, 10, args.steps * 16)

model = tf.keras.Sequential([
    tf.keras.Input(shape=(28, 28, 1)),
    tf.keras.layers.Conv2D(8, 3, activation="relu"),
    tf.keras.layers.BatchNormalization(),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile(
    optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"], steps_per_execution=4
)
plateau = tf.keras.callbacks.ReduceLROnPlateau(monitor="loss", patience=1)
history = model.fit(x, y, batch_size=16, epochs=args.epochs, callbacks=[plateau], verbose=0)

print("history", {name: [float(v) for v in values] for name, values in history.history.items()})
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
