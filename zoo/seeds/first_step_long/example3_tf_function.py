"""Example 3: Using tf.function for JIT Compilation. The loss is returned as well, to be printed."""
import argparse
import hashlib

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=30)
args = parser.parse_args()

tf.keras.utils.set_random_seed(3)


@tf.function
def train_step(model, x, y):
    with tf.GradientTape() as tape:
        predictions = model(x)
        loss = tf.reduce_mean(tf.square(predictions - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


# Define optimizer, model, and data (same as previous examples)
optimizer = tf.keras.optimizers.SGD(learning_rate=0.01)
model = tf.keras.Sequential([tf.keras.layers.Dense(units=1, input_shape=[1])])
x_train = tf.constant([[1.0], [2.0], [3.0]])
y_train = tf.constant([[2.0], [4.0], [6.0]])

# Illustrates how tf.function accelerates subsequent steps
losses = []
for epoch in range(args.epochs):
    losses.append(float(train_step(model, x_train, y_train)))

print("losses", losses)
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
