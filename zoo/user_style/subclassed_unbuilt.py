"""A subclassed residual network that has no variables until fit shows it its first batch."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=24, help="training steps per epoch")
parser.add_argument("--epochs", type=int, default=1)
args = parser.parse_args()


class ResidualBlock(tf.keras.Model):
    def __init__(self, filters, strides=1):
        super().__init__()
        self.conv1 = tf.keras.layers.Conv2D(filters, 3, strides, padding="same", use_bias=False)
        self.bn1 = tf.keras.layers.BatchNormalization()
        self.conv2 = tf.keras.layers.Conv2D(filters, 3, padding="same", use_bias=False)
        self.bn2 = tf.keras.layers.BatchNormalization()
        self.shortcut = tf.keras.layers.Conv2D(filters, 1, strides) if strides > 1 else None

    def call(self, x, training=False):
        residual = x if self.shortcut is None else self.shortcut(x)
        x = tf.nn.relu(self.bn1(self.conv1(x), training=training))
        return tf.nn.relu(self.bn2(self.conv2(x), training=training) + residual)


class SmallResNet(tf.keras.Model):
    def __init__(self, classes):
        super().__init__()
        self.stem = tf.keras.layers.Conv2D(16, 3, padding="same")
        self.blocks = [ResidualBlock(16), ResidualBlock(32, 2), ResidualBlock(64, 2)]
        self.pool = tf.keras.layers.GlobalAveragePooling2D()
        self.head = tf.keras.layers.Dense(classes)

    def call(self, x, training=False):
        x = self.stem(x)
        for block in self.blocks:
            x = block(x, training=training)
        return self.head(self.pool(x))


tf.keras.utils.set_random_seed(50)
rng = np.random.default_rng(50)
images = rng.random((args.steps * 8, 32, 32, 3), dtype=np.float32)
labels = rng.integers(0, 10, args.steps * 8)
model = SmallResNet(10)
model.compile(
    optimizer=tf.keras.optimizers.SGD(0.05, momentum=0.9, nesterov=True),
    loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
history = model.fit(images, labels, batch_size=8, epochs=args.epochs, verbose=0)

print("history", history.history)
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
