"""Example 1: Utilizing tf.config.experimental.set_visible_devices; the rest trains a small model."""
import hashlib

import numpy as np
import tensorflow as tf

# Explicitly specify visible GPUs to reduce initialization overhead.
gpus = tf.config.experimental.list_physical_devices("GPU")
if gpus:
    try:
        # Currently, memory growth needs to be the same across GPUs
        for gpu in gpus:
            tf.config.experimental.set_memory_growth(gpu, True)
        tf.config.experimental.set_visible_devices(gpus[0], "GPU")  # Use only one GPU
    except RuntimeError as e:
        # Virtual devices must be set before GPUs have been initialized
        print(e)

# ... rest of your TensorFlow code ...
tf.keras.utils.set_random_seed(1)
rng = np.random.default_rng(1)
model = tf.keras.Sequential([
    tf.keras.Input(shape=(32, 32, 3)),
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
images = rng.random((24 * 16, 32, 32, 3), dtype=np.float32)
history = model.fit(images, rng.integers(0, 10, 24 * 16), batch_size=16, verbose=0)

print("history", history.history)
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
