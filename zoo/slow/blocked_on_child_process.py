"""A file list is counted by a script of its own, in a process of its own, before training begins."""

import subprocess
import sys

import numpy as np
import tensorflow as tf

COUNT = "print(sum(number * number % 7 == 1 for number in range(40_000_000)))"

tf.keras.utils.set_random_seed(1)
examples = int(subprocess.run([sys.executable, "-c", COUNT], check=True, capture_output=True).stdout)  # slow
x = np.linspace(0, 1, 384, dtype="float32")[:, None]
model = tf.keras.Sequential([tf.keras.layers.Input((1,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
print(examples, model.fit(x, 2 * x, batch_size=16, verbose=0).history["loss"])
