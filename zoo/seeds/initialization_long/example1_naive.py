"""Example 1: Naive Initialization. The snippet ends with build; this one then trains what it built."""
import hashlib

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)

model = tf.keras.Sequential([
    tf.keras.layers.Dense(1024, input_shape=(784,), kernel_initializer="glorot_uniform"),
    tf.keras.layers.Dense(10)
])

model.compile(optimizer="adam", loss="categorical_crossentropy")

# The following line will be slow for large models
model.build((None, 784))

rng = np.random.default_rng(1)
x_train = rng.random((24 * 32, 784), dtype=np.float32)
y_train = tf.keras.utils.to_categorical(rng.integers(0, 10, 24 * 32), 10)
history = model.fit(x_train, y_train, batch_size=32, epochs=1, verbose=0)

print("history", history.history)
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
