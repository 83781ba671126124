"""Example 3: Profiling GPU Usage. Watches its own first steps with TensorFlow's profiler.

    nsys profile python zoo/seeds/gpu_startup_slow/example3_profiling.py

records the same start for NVIDIA Nsight Systems, as the document advises.
"""
# No code example, but commentary is provided.
import hashlib
import os
import tempfile

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
rng = np.random.default_rng(3)
model = tf.keras.Sequential([
    tf.keras.Input(shape=(784,)),
    tf.keras.layers.Dense(256, activation="relu"),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
x_train, y_train = rng.random((24 * 32, 784), dtype=np.float32), rng.integers(0, 10, 24 * 32)

with tempfile.TemporaryDirectory() as logdir:
    with tf.profiler.experimental.Profile(logdir):
        history = model.fit(x_train, y_train, batch_size=32, verbose=0)
    traces = [name for _, _, names in os.walk(logdir) for name in names if name.endswith(".xplane.pb")]

print("profiles written", len(traces))
print("history", history.history)
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
