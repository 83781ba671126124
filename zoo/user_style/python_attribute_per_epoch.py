"""A layer whose Python attribute a callback changes each epoch; the graph only sees it after a new trace."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=24, help="training steps per epoch")
parser.add_argument("--epochs", type=int, default=4)
args = parser.parse_args()


class Scaled(tf.keras.layers.Layer):
    def __init__(self, scale, **kwargs):
        super().__init__(**kwargs)
        self.scale = scale

    def call(self, inputs):
        return inputs * self.scale


class Anneal(tf.keras.callbacks.Callback):
    """Halves the scale each epoch, and has the training function traced anew in every second epoch."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def on_epoch_begin(self, epoch, logs=None):
        self.layer.scale = 1.0 / 2**epoch
        if epoch % 2 == 1:
            self.model.make_train_function(force=True)


tf.keras.utils.set_random_seed(42)
rng = np.random.default_rng(42)
x = rng.normal(size=(args.steps * 16, 10)).astype("float32")
y = np.tanh(x.sum(axis=1))

scaled = Scaled(1.0)
model = tf.keras.Sequential([
    tf.keras.Input(shape=(10,)),
    tf.keras.layers.Dense(16, activation="relu"),
    scaled,
    tf.keras.layers.Dense(1),
])
model.compile(optimizer="sgd", loss="mse")
history = model.fit(x, y, batch_size=16, epochs=args.epochs, callbacks=[Anneal(scaled)], verbose=0)

print("history", history.history)
print("scale", scaled.scale)
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
