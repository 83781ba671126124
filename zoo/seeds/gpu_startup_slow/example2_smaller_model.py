"""Example 2: Utilizing a smaller model for testing: the full model and, by default, its stand-in."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--full", action="store_true", help="train the full model, not the smaller one")
args = parser.parse_args()

tf.keras.utils.set_random_seed(2)


# ... Model definition ...
def full_model():
    return tf.keras.models.Sequential(
        [tf.keras.layers.Dense(2048, activation="relu", input_shape=(784,))]
        + [tf.keras.layers.Dense(2048, activation="relu") for _ in range(6)]
        + [tf.keras.layers.Dense(10, activation="softmax")]
    )


# Instead of loading the full model immediately, start with a smaller subset.
smaller_model = tf.keras.models.Sequential([
    tf.keras.layers.Dense(64, activation="relu", input_shape=(784,)),
    tf.keras.layers.Dense(10, activation="softmax")
])

# Train and test on this smaller model.  The startup time will be dramatically reduced.
# Then, gradually scale up once satisfied with the performance.
model = full_model() if args.full else smaller_model
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
rng = np.random.default_rng(2)
x_train, y_train = rng.random((24 * 32, 784), dtype=np.float32), rng.integers(0, 10, 24 * 32)
x_test, y_test = rng.random((128, 784), dtype=np.float32), rng.integers(0, 10, 128)
history = model.fit(x_train, y_train, batch_size=32, verbose=0)

print("history", history.history)
print("test", model.evaluate(x_test, y_test, verbose=0))
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
