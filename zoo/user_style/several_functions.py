"""Three tf.functions that call one another, with the loop over the dataset inside the outermost."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=24, help="training steps per epoch")
parser.add_argument("--epochs", type=int, default=3)
args = parser.parse_args()

tf.keras.utils.set_random_seed(52)
rng = np.random.default_rng(52)
x = rng.normal(size=(args.steps * 16, 20)).astype("float32")
y = (x[:, 0] > 0).astype("float32")[:, None]
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(16, drop_remainder=True)

encoder = tf.keras.Sequential([tf.keras.Input(shape=(20,)), tf.keras.layers.Dense(16, activation="relu")])
head = tf.keras.Sequential([tf.keras.Input(shape=(16,)), tf.keras.layers.Dense(1)])
variables = encoder.trainable_variables + head.trainable_variables
optimizer = tf.keras.optimizers.Adam(0.01)
optimizer.build(variables)


@tf.function
def loss_of(x, y):
    return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=head(encoder(x))))


@tf.function(reduce_retracing=True)
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_of(x, y)
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


@tf.function
def train_epoch(dataset):
    total, count = tf.constant(0.0), tf.constant(0.0)
    for batch_x, batch_y in dataset:
        total += train_step(batch_x, batch_y)
        count += 1.0
        if count > 1000.0:
            break
    return total / count


losses = []
for epoch in range(args.epochs):
    losses.append(float(train_epoch(dataset)))
    print("epoch", epoch, "validation", float(loss_of(x[:50], y[:50])))

print("losses", losses)
weights = encoder.get_weights() + head.get_weights()
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in weights)).hexdigest())
