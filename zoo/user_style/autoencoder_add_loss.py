"""A variational autoencoder: sampling in a layer, the divergence by add_loss."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=24, help="training steps per epoch")
parser.add_argument("--epochs", type=int, default=2)
args = parser.parse_args()


class Sampling(tf.keras.layers.Layer):
    """Draws z from the mean and log variance, and adds the divergence to the model's loss."""

    def call(self, inputs):
        mean, log_var = inputs
        divergence = -0.5 * tf.reduce_mean(log_var - tf.square(mean) - tf.exp(log_var) + 1)
        self.add_loss(0.01 * divergence)
        return mean + tf.exp(0.5 * log_var) * tf.random.normal(tf.shape(mean))


class VariationalAutoEncoder(tf.keras.Model):
    def __init__(self, original_dim, hidden_dim=32, latent_dim=8):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(hidden_dim, activation="relu")
        self.mean = tf.keras.layers.Dense(latent_dim)
        self.log_var = tf.keras.layers.Dense(latent_dim)
        self.sampling = Sampling()
        self.decoder_hidden = tf.keras.layers.Dense(hidden_dim, activation="relu")
        self.decoder_output = tf.keras.layers.Dense(original_dim, activation="sigmoid")

    def call(self, inputs):
        x = self.hidden(inputs)
        z = self.sampling((self.mean(x), self.log_var(x)))
        return self.decoder_output(self.decoder_hidden(z))


tf.keras.utils.set_random_seed(49)
x_train = np.random.default_rng(49).random((args.steps * 32, 196), dtype=np.float32)
model = VariationalAutoEncoder(196)
model.compile(optimizer=tf.keras.optimizers.Adam(1e-3), loss="mse")
history = model.fit(x_train, x_train, batch_size=32, epochs=args.epochs, verbose=0)

print("history", history.history)
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
