"""Trains one model for many steps, in `fit` or in an eager loop.

Prints the median of those after the 20th, and the longest of their fastest tenth.

After the 20th it stops itself until it is told to go on.
"""
import os
import signal
import sys
import time

import keras
import numpy as np
import tensorflow as tf

WARM = 20
steps = int(sys.argv[2])


class Clock(keras.callbacks.Callback):
    def on_train_begin(self, logs=None):
        self.ends = []

    def on_train_batch_end(self, batch, logs=None):
        self.ends.append(time.perf_counter())
        if len(self.ends) == WARM:
            print("warm", os.getpid(), flush=True)
            os.kill(os.getpid(), signal.SIGSTOP)
            self.ends[-1] = time.perf_counter()

    def on_train_end(self, logs=None):
        ends = self.ends[WARM - 1:]
        lasted = sorted(later - earlier for earlier, later in zip(ends, ends[1:]))
        print("steps", lasted[len(lasted) // 2], lasted[len(lasted) // 10])


def mlp():
    layers = [keras.layers.Dense(128, activation="relu"), keras.layers.Dropout(0.2), keras.layers.Dense(10)]
    return keras.Sequential([keras.Input((784,)), *layers]), (784,), 32


def convolutions():
    layers = [keras.layers.Conv2D(32, 3, activation="relu") for _ in range(4)]
    return keras.Sequential([keras.Input((32, 32, 3)), *layers, keras.layers.Flatten(), keras.layers.Dense(10)]), (32, 32, 3), 16


def fit(model, loss):
    model.compile(optimizer="adam", loss=loss)
    model.fit(inputs, labels, batch_size=batch, verbose=0, callbacks=[Clock()])


def eager(model, loss):
    optimizer, clock = keras.optimizers.Adam(), Clock()
    clock.on_train_begin()
    for number in range(steps):
        part = slice(number * batch, (number + 1) * batch)
        with tf.GradientTape() as tape:
            value = loss(labels[part], model(inputs[part], training=True))
        optimizer.apply_gradients(zip(tape.gradient(value, model.trainable_variables), model.trainable_variables))
        clock.on_train_batch_end(number)
    clock.on_train_end()


keras.utils.set_random_seed(1)
make, train = {"mlp": (mlp, fit), "convolutions": (convolutions, fit), "eager": (mlp, eager)}[sys.argv[1]]
model, shape, batch = make()
rng = np.random.default_rng(1)
inputs = rng.random((batch * steps, *shape), dtype=np.float32)
labels = rng.integers(0, 10, batch * steps)
train(model, keras.losses.SparseCategoricalCrossentropy(from_logits=True))
