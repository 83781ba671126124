"""Example 3: Improving Initialization Speed with Custom Initializers; trained, it learns only its bias."""
import hashlib

import numpy as np
import tensorflow as tf


def fast_initializer(shape, dtype=None):
    return tf.zeros(shape, dtype=dtype)  # Or a very basic custom initializer


model = tf.keras.Sequential([
    tf.keras.layers.Dense(1024, input_shape=(784,), kernel_initializer=fast_initializer),
    tf.keras.layers.Dense(10, kernel_initializer=fast_initializer)
])
model.compile(optimizer="adam", loss="categorical_crossentropy")
model.build((None, 784))

# The snippet's loss expects probabilities: on outputs that are all zero it is nan. Compiled again for logits.
model.compile(optimizer="adam", loss=tf.keras.losses.CategoricalCrossentropy(from_logits=True))
tf.keras.utils.set_random_seed(3)
rng = np.random.default_rng(3)
x_train = rng.random((24 * 32, 784), dtype=np.float32)
y_train = tf.keras.utils.to_categorical(rng.integers(0, 10, 24 * 32), 10)
history = model.fit(x_train, y_train, batch_size=32, epochs=1, verbose=0)

print("history", history.history)
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
