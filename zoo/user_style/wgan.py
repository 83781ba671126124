"""A WGAN with gradient penalty: a gradient of a gradient, and an inner loop of critic steps."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=24, help="training steps per epoch")
args = parser.parse_args()

LATENT, CRITIC_STEPS = 16, 3


class WGAN(tf.keras.Model):
    def __init__(self, critic, generator):
        super().__init__()
        self.critic = critic
        self.generator = generator

    def compile(self, critic_optimizer, generator_optimizer):
        super().compile()
        self.critic_optimizer = critic_optimizer
        self.generator_optimizer = generator_optimizer

    def gradient_penalty(self, real, fake):
        alpha = tf.random.uniform([tf.shape(real)[0], 1])
        mixed = real + alpha * (fake - real)
        with tf.GradientTape() as tape:
            tape.watch(mixed)
            score = self.critic(mixed, training=True)
        norm = tf.sqrt(tf.reduce_sum(tf.square(tape.gradient(score, mixed)), axis=1) + 1e-12)
        return tf.reduce_mean((norm - 1.0) ** 2)

    def train_step(self, real):
        count = tf.shape(real)[0]
        for _ in range(CRITIC_STEPS):
            noise = tf.random.normal([count, LATENT])
            with tf.GradientTape() as tape:
                fake = self.generator(noise, training=True)
                cost = tf.reduce_mean(self.critic(fake, training=True))
                cost -= tf.reduce_mean(self.critic(real, training=True))
                critic_loss = cost + 10.0 * self.gradient_penalty(real, fake)
            gradients = tape.gradient(critic_loss, self.critic.trainable_variables)
            self.critic_optimizer.apply_gradients(zip(gradients, self.critic.trainable_variables))

        with tf.GradientTape() as tape:
            fake = self.generator(tf.random.normal([count, LATENT]), training=True)
            generator_loss = -tf.reduce_mean(self.critic(fake, training=True))
        gradients = tape.gradient(generator_loss, self.generator.trainable_variables)
        self.generator_optimizer.apply_gradients(zip(gradients, self.generator.trainable_variables))
        return {"critic_loss": critic_loss, "generator_loss": generator_loss}


def network(inputs, outputs, name):
    return tf.keras.Sequential(
        [
            tf.keras.Input(shape=(inputs,)),
            tf.keras.layers.Dense(64, activation="gelu"),
            tf.keras.layers.Dense(64, activation="gelu"),
            tf.keras.layers.Dense(outputs),
        ],
        name=name,
    )


tf.keras.utils.set_random_seed(57)
data = np.random.default_rng(57).normal(2.0, 0.5, size=(args.steps * 16, 8)).astype("float32")
wgan = WGAN(network(8, 1, "critic"), network(LATENT, 8, "generator"))
wgan.compile(tf.keras.optimizers.Adam(2e-4, beta_1=0.5), tf.keras.optimizers.Adam(2e-4, beta_1=0.5))
history = wgan.fit(data, batch_size=16, epochs=1, verbose=0)
weights = wgan.critic.get_weights() + wgan.generator.get_weights()

print("history", {name: [float(v) for v in values] for name, values in history.history.items()})
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in weights)).hexdigest())
