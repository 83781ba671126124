"""Knowledge distillation: a frozen teacher, a student, and a train_step that mixes two losses."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=24, help="training steps per epoch")
parser.add_argument("--epochs", type=int, default=1)
args = parser.parse_args()


class Distiller(tf.keras.Model):
    def __init__(self, student, teacher, alpha=0.1, temperature=3.0):
        super().__init__()
        self.student = student
        self.teacher = teacher
        self.alpha = alpha
        self.temperature = temperature
        self.loss_tracker = tf.keras.metrics.Mean(name="loss")
        self.accuracy = tf.keras.metrics.SparseCategoricalAccuracy(name="accuracy")
        self.student_loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.distillation_loss_fn = tf.keras.losses.KLDivergence()

    @property
    def metrics(self):
        return [self.loss_tracker, self.accuracy]

    def call(self, x):
        return self.student(x)

    def train_step(self, data):
        x, y = data
        soft_targets = tf.nn.softmax(self.teacher(x, training=False) / self.temperature)
        with tf.GradientTape() as tape:
            predictions = self.student(x, training=True)
            soft_predictions = tf.nn.softmax(predictions / self.temperature)
            loss = self.alpha * self.student_loss_fn(y, predictions)
            loss += (1 - self.alpha) * self.distillation_loss_fn(soft_targets, soft_predictions)
        gradients = tape.gradient(loss, self.student.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.student.trainable_variables))
        self.loss_tracker.update_state(loss)
        self.accuracy.update_state(y, predictions)
        return {metric.name: metric.result() for metric in self.metrics}


def network(filters):
    return tf.keras.Sequential([
        tf.keras.Input(shape=(28, 28, 1)),
        tf.keras.layers.Conv2D(filters, 3, strides=2, activation="relu"),
        tf.keras.layers.Conv2D(filters * 2, 3, strides=2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(10),
    ])


tf.keras.utils.set_random_seed(43)
rng = np.random.default_rng(43)
x = rng.random((args.steps * 16, 28, 28, 1), dtype=np.float32)
y = rng.integers(0, 10, args.steps * 16)

teacher, student = network(32), network(8)
teacher.compile(optimizer="adam", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
teacher.fit(x, y, batch_size=16, verbose=0)
teacher.trainable = False

distiller = Distiller(student, teacher)
distiller.compile(optimizer=tf.keras.optimizers.Adam())
history = distiller.fit(x, y, batch_size=16, epochs=args.epochs, verbose=0)
weights = teacher.get_weights() + student.get_weights()

print("history", history.history)
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in weights)).hexdigest())
