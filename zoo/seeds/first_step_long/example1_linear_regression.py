"""Example 1: Basic Linear Regression. Its progress bar prints times; what follows it can be compared."""
import hashlib

import tensorflow as tf

tf.keras.utils.set_random_seed(1)

# Define the model
model = tf.keras.Sequential([
    tf.keras.layers.Dense(units=1, input_shape=[1])
])

# Compile the model (this involves optimizer setup, which contributes to the initial overhead)
model.compile(optimizer="sgd", loss="mse")

# Generate some training data
x_train = tf.constant([[1.0], [2.0], [3.0]])
y_train = tf.constant([[2.0], [4.0], [6.0]])

# Train the model (first step takes longer due to the reasons discussed above)
history = model.fit(x_train, y_train, epochs=10, verbose=1)

# Train on until it has settled
settled = model.fit(x_train, y_train, epochs=20, verbose=0)

print("losses", history.history["loss"] + settled.history["loss"])
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
