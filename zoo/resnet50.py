"""ResNet50 from keras.applications, trained from random weights with fit."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=24, help="training steps per epoch")
parser.add_argument("--epochs", type=int, default=1)
parser.add_argument("--batch-size", type=int, default=8)
parser.add_argument("--image-size", type=int, default=64)
args = parser.parse_args()

tf.keras.utils.set_random_seed(7)
rng = np.random.default_rng(7)
count = args.steps * args.batch_size
images = rng.uniform(0, 255, (count, args.image_size, args.image_size, 3)).astype("float32")
labels = rng.integers(0, 10, count)

model = tf.keras.applications.ResNet50(
    weights=None, input_shape=(args.image_size, args.image_size, 3), classes=10
)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
history = model.fit(images, labels, batch_size=args.batch_size, epochs=args.epochs, verbose=0)

print("history", history.history)
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
