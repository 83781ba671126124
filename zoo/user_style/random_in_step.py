"""Randomness of every kind inside the step: tf.random ops, stateless ops, a tf.random.Generator, dropout."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=24, help="training steps per epoch")
args = parser.parse_args()

tf.keras.utils.set_random_seed(58)
generator = tf.random.Generator.from_seed(58)
rng = np.random.default_rng(58)

model = tf.keras.Sequential([
    tf.keras.Input(shape=(16,)),
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dropout(0.25),
    tf.keras.layers.GaussianNoise(0.1),
    tf.keras.layers.Dense(4),
])
optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def train_step(x, y, step):
    x += tf.random.normal(tf.shape(x), stddev=0.1)
    x *= generator.uniform([16], 0.9, 1.1)
    x = tf.random.shuffle(x) if tf.random.uniform([]) < 0.1 else x
    flipped = tf.random.stateless_uniform(tf.shape(y), seed=[58, step], maxval=4, dtype=tf.int32)
    y = tf.where(tf.random.uniform(tf.shape(y), seed=3) < 0.05, flipped, y)
    with tf.GradientTape() as tape:
        logits = model(x, training=True)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


losses = []
for step in range(2 * args.steps):
    x = rng.normal(size=(32, 16)).astype("float32")
    y = np.argmax(x[:, :4], axis=1).astype("int32")
    losses.append(float(train_step(x, y, tf.constant(step))))

print("losses", losses)
print("next random numbers", float(tf.random.uniform([])), float(generator.uniform([])), rng.random())
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
