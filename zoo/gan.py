"""A GAN as a keras.Model with its own train_step and two optimizers."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

LATENT = 32
BATCH = 16


class GAN(keras.Model):
    def __init__(self, discriminator, generator, latent_dim):
        super().__init__()
        self.discriminator = discriminator
        self.generator = generator
        self.latent_dim = latent_dim
        self.d_loss_metric = keras.metrics.Mean(name="d_loss")
        self.g_loss_metric = keras.metrics.Mean(name="g_loss")

    def compile(self, d_optimizer, g_optimizer, loss_fn):
        super().compile()
        self.d_optimizer = d_optimizer
        self.g_optimizer = g_optimizer
        self.loss_fn = loss_fn

    @property
    def metrics(self):
        return [self.d_loss_metric, self.g_loss_metric]

    def train_step(self, real_images):
        batch_size = tf.shape(real_images)[0]
        noise = tf.random.normal(shape=(batch_size, self.latent_dim))
        generated = self.generator(noise)
        combined = tf.concat([generated, real_images], axis=0)
        labels = tf.concat([tf.ones((batch_size, 1)), tf.zeros((batch_size, 1))], axis=0)
        labels += 0.05 * tf.random.uniform(tf.shape(labels))

        with tf.GradientTape() as tape:
            d_loss = self.loss_fn(labels, self.discriminator(combined))
        grads = tape.gradient(d_loss, self.discriminator.trainable_weights)
        self.d_optimizer.apply_gradients(zip(grads, self.discriminator.trainable_weights))

        noise = tf.random.normal(shape=(batch_size, self.latent_dim))
        with tf.GradientTape() as tape:
            g_loss = self.loss_fn(tf.zeros((batch_size, 1)), self.discriminator(self.generator(noise)))
        grads = tape.gradient(g_loss, self.generator.trainable_weights)
        self.g_optimizer.apply_gradients(zip(grads, self.generator.trainable_weights))

        self.d_loss_metric.update_state(d_loss)
        self.g_loss_metric.update_state(g_loss)
        return {"d_loss": self.d_loss_metric.result(), "g_loss": self.g_loss_metric.result()}


def make_discriminator():
    return keras.Sequential(
        [
            keras.Input(shape=(28, 28, 1)),
            layers.Conv2D(16, 3, strides=2, padding="same"),
            layers.LeakyReLU(),
            layers.Conv2D(32, 3, strides=2, padding="same"),
            layers.LeakyReLU(),
            layers.GlobalMaxPooling2D(),
            layers.Dense(1),
        ],
        name="discriminator",
    )


def make_generator():
    return keras.Sequential(
        [
            keras.Input(shape=(LATENT,)),
            layers.Dense(7 * 7 * 16),
            layers.LeakyReLU(),
            layers.Reshape((7, 7, 16)),
            layers.Conv2DTranspose(16, 4, strides=2, padding="same"),
            layers.LeakyReLU(),
            layers.Conv2DTranspose(16, 4, strides=2, padding="same"),
            layers.LeakyReLU(),
            layers.Conv2D(1, 7, padding="same", activation="sigmoid"),
        ],
        name="generator",
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=24, help="training steps per epoch")
    parser.add_argument("--epochs", type=int, default=1)
    args = parser.parse_args()

    keras.utils.set_random_seed(5)
    images = np.random.default_rng(5).random((args.steps * BATCH, 28, 28, 1), dtype=np.float32)
    dataset = tf.data.Dataset.from_tensor_slices(images).shuffle(1024, seed=5).batch(BATCH)

    gan = GAN(make_discriminator(), make_generator(), LATENT)
    gan.compile(
        d_optimizer=keras.optimizers.Adam(learning_rate=0.0003),
        g_optimizer=keras.optimizers.Adam(learning_rate=0.0003),
        loss_fn=keras.losses.BinaryCrossentropy(from_logits=True),
    )
    history = gan.fit(dataset, epochs=args.epochs, verbose=0)
    weights = gan.discriminator.get_weights() + gan.generator.get_weights()
    print("history", history.history)
    print("weights", hashlib.sha256(b"".join(w.tobytes() for w in weights)).hexdigest())


if __name__ == "__main__":
    main()
