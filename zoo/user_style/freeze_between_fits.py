"""Transfer learning: the base frozen for the first fit, half of it thawed for the second, compiled again."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=24, help="training steps per epoch")
args = parser.parse_args()

tf.keras.utils.set_random_seed(54)
rng = np.random.default_rng(54)
images = rng.random((args.steps * 8, 32, 32, 3), dtype=np.float32)
labels = rng.integers(0, 5, args.steps * 8)

base = tf.keras.Sequential(
    [tf.keras.Input(shape=(32, 32, 3))]
    + [tf.keras.layers.Conv2D(16, 3, padding="same", activation="relu") for _ in range(4)]
    + [tf.keras.layers.BatchNormalization()],
    name="base",
)
base.trainable = False
inputs = tf.keras.Input(shape=(32, 32, 3))
x = base(inputs, training=False)
x = tf.keras.layers.GlobalMaxPooling2D()(x)
x = tf.keras.layers.Dropout(0.2)(x)
model = tf.keras.Model(inputs, tf.keras.layers.Dense(5)(x))
loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

model.compile(optimizer=tf.keras.optimizers.Adam(), loss=loss, metrics=["accuracy"])
frozen = model.fit(images, labels, batch_size=8, verbose=0)

base.trainable = True
for layer in base.layers[:2]:
    layer.trainable = False
model.compile(optimizer=tf.keras.optimizers.Adam(1e-4), loss=loss, metrics=["accuracy"])
thawed = model.fit(images, labels, batch_size=8, verbose=0)

print("frozen", frozen.history)
print("thawed", thawed.history)
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
