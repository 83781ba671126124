"""SciPy's larger parts are imported at the top, for an evaluation that this run does not make."""

import sys

import numpy as np
import scipy.optimize  # slow
import scipy.signal
import scipy.stats
import tensorflow as tf


def evaluate(before, after):
    envelope = scipy.signal.hilbert(after)
    return scipy.stats.ttest_ind(before, after), scipy.optimize.minimize(lambda v: (v - envelope.real.mean()) ** 2, 0.0)


tf.keras.utils.set_random_seed(1)
x = np.random.default_rng(0).normal(size=(384, 20)).astype("float32")
model = tf.keras.Sequential([tf.keras.layers.Input((20,)), tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
losses = model.fit(x, x.sum(axis=1), batch_size=16, epochs=2, verbose=0).history["loss"]
print(evaluate(losses[:1], losses[1:]) if "--evaluate" in sys.argv else losses)
