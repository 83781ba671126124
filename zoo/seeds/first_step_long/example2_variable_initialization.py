"""Example 2: Illustrating Variable Initialization, with the data of example 1.

Ten outputs against one target is what the document shows: the loss broadcasts, and the program runs.
"""
import hashlib

import tensorflow as tf

tf.keras.utils.set_random_seed(2)
x_train = tf.constant([[1.0], [2.0], [3.0]])
y_train = tf.constant([[2.0], [4.0], [6.0]])

# Define a simple model
model = tf.keras.Sequential([
    tf.keras.layers.Dense(units=10, input_shape=[1], kernel_initializer="random_normal")
])

# Explicitly initialize variables, showcasing the overhead of initialization
initializer = tf.keras.initializers.RandomNormal()
weights = initializer(shape=(1, 10))
biases = initializer(shape=(10,))
model.layers[0].set_weights([weights, biases])

# Compile and train as before
model.compile(optimizer="adam", loss="mse")
history = model.fit(x_train, y_train, epochs=10, verbose=1)
settled = model.fit(x_train, y_train, epochs=20, verbose=0)

print("losses", history.history["loss"] + settled.history["loss"])
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
