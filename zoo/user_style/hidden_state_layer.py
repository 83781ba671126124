"""A layer with hidden state: it counts its own calls in a variable and changes its behaviour by the count."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=24, help="training steps per epoch")
parser.add_argument("--epochs", type=int, default=2)
args = parser.parse_args()


class WarmUpNoise(tf.keras.layers.Layer):
    """Adds noise that fades out over the first `fade` training steps."""

    def __init__(self, fade, **kwargs):
        super().__init__(**kwargs)
        self.fade = fade

    def build(self, input_shape):
        self.calls = self.add_weight(
            name="calls", shape=(), dtype="int32", initializer="zeros", trainable=False
        )

    def call(self, inputs, training=False):
        if not training:
            return inputs
        self.calls.assign(self.calls + 1)
        strength = tf.maximum(0.0, 1.0 - tf.cast(self.calls, tf.float32) / self.fade)
        return inputs + strength * tf.random.normal(tf.shape(inputs))


tf.keras.utils.set_random_seed(41)
rng = np.random.default_rng(41)
x = rng.normal(size=(args.steps * 16, 12)).astype("float32")
y = x[:, :3].sum(axis=1)

noise = WarmUpNoise(fade=20.0)
model = tf.keras.Sequential([
    tf.keras.Input(shape=(12,)),
    noise,
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(1),
])
model.compile(optimizer="rmsprop", loss="mse")
history = model.fit(x, y, batch_size=16, epochs=args.epochs, validation_split=0.1, verbose=0)

print("history", history.history)
print("calls counted", int(noise.calls))
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
