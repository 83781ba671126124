"""A training loop of one's own around a tf.function; the optimizer makes its variables in the first call."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=24, help="training steps per epoch")
parser.add_argument("--epochs", type=int, default=2)
args = parser.parse_args()

tf.keras.utils.set_random_seed(0)
rng = np.random.default_rng(0)
images = rng.random((args.steps * 32, 28, 28, 1), dtype=np.float32)
labels = rng.integers(0, 10, args.steps * 32)
train_ds = tf.data.Dataset.from_tensor_slices((images, labels)).batch(32)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(10),
])
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(1e-3)
train_loss = tf.keras.metrics.Mean(name="train_loss")
train_accuracy = tf.keras.metrics.SparseCategoricalAccuracy(name="train_accuracy")


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        predictions = model(images, training=True)
        loss = loss_object(labels, predictions)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    train_loss(loss)
    train_accuracy(labels, predictions)
    return loss


losses = []
for epoch in range(args.epochs):
    train_loss.reset_state()
    train_accuracy.reset_state()
    for batch_images, batch_labels in train_ds:
        losses.append(float(train_step(batch_images, batch_labels)))
    print("epoch", epoch, "loss", float(train_loss.result()), "accuracy", float(train_accuracy.result()))

print("losses", losses)
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
