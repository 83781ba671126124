"""No Keras at all: a tf.Module and momentum written with assign and assign_sub."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=24, help="training steps per epoch")
args = parser.parse_args()


class Dense(tf.Module):
    def __init__(self, inputs, outputs, name=None):
        super().__init__(name=name)
        self.w = tf.Variable(tf.random.normal([inputs, outputs], stddev=inputs**-0.5), name="w")
        self.b = tf.Variable(tf.zeros([outputs]), name="b")

    def __call__(self, x):
        return x @ self.w + self.b


class Network(tf.Module):
    def __init__(self):
        super().__init__()
        self.layers = [Dense(10, 32), Dense(32, 32), Dense(32, 1)]
        self.momenta = [tf.Variable(tf.zeros_like(v), trainable=False) for v in self.trainable_variables]
        self.rate = 0.05

    def __call__(self, x):
        for layer in self.layers[:-1]:
            x = tf.nn.relu(layer(x))
        return self.layers[-1](x)

    @tf.function(input_signature=[tf.TensorSpec([None, 10]), tf.TensorSpec([None, 1])])
    def train(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(x) - y) ** 2)
        parameters = self.trainable_variables
        for v, m, g in zip(parameters, self.momenta, tape.gradient(loss, parameters)):
            m.assign(0.9 * m + g)
            v.assign_sub(self.rate * m)
        return loss


tf.random.set_seed(53)
rng = np.random.default_rng(53)
network = Network()
losses = []
for _ in range(2 * args.steps):
    x = rng.normal(size=(32, 10)).astype("float32")
    losses.append(float(network.train(x, np.sin(x.sum(axis=1, keepdims=True)))))

print("losses", losses)
weights = [v.numpy() for v in network.trainable_variables]
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in weights)).hexdigest())
