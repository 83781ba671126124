"""The training step compiled by XLA: jit_compile=True on a function of one's own and in compile."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=24, help="training steps per epoch")
args = parser.parse_args()

tf.keras.utils.set_random_seed(59)
rng = np.random.default_rng(59)
x = rng.normal(size=(args.steps * 32, 20)).astype("float32")
y = np.cos(x.sum(axis=1, keepdims=True)).astype("float32")

model = tf.keras.Sequential([
    tf.keras.Input(shape=(20,)),
    tf.keras.layers.Dense(64, activation="swish"),
    tf.keras.layers.LayerNormalization(),
    tf.keras.layers.Dense(1),
])
model.compile(optimizer="adam", loss="mse", jit_compile=True)
history = model.fit(x, y, batch_size=32, verbose=0)


@tf.function(jit_compile=True)
def smooth_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    for variable, gradient in zip(model.trainable_variables, gradients):
        variable.assign(variable - 0.01 * gradient)
    return loss


losses = [float(smooth_step(x[i * 32:(i + 1) * 32], y[i * 32:(i + 1) * 32])) for i in range(args.steps)]

print("history", history.history)
print("losses", losses)
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
