"""An unbalanced problem: one fit with class weights, one with a weight for every sample."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=24, help="training steps per epoch")
args = parser.parse_args()

tf.keras.utils.set_random_seed(47)
rng = np.random.default_rng(47)
x = rng.normal(size=(args.steps * 32, 30)).astype("float32")
y = (rng.random(args.steps * 32) < 0.05).astype("float32")
ages = rng.uniform(0.2, 1.0, args.steps * 32).astype("float32")

model = tf.keras.Sequential([
    tf.keras.Input(shape=(30,)),
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dropout(0.3),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile(
    optimizer="adam",
    loss="binary_crossentropy",
    metrics=[tf.keras.metrics.AUC(name="auc"), tf.keras.metrics.Precision(name="precision")],
    weighted_metrics=["accuracy"],
)
by_class = model.fit(x, y, batch_size=32, class_weight={0: 1.0, 1: 19.0}, verbose=0)
by_sample = model.fit(x, y, batch_size=32, sample_weight=ages, verbose=0)

print("by class", by_class.history)
print("by sample", by_sample.history)
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
