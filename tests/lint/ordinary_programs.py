"""Ordinary programs, as people write them, in which a fix is found: [(rule, what is counted or None, program)]. They print what they
compute, and print the same after the fix."""

ORDINARY = [
    ("function-made-in-loop", "graphs", '''
import tensorflow as tf

lefts = [tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0]), tf.constant([5.0, 7.0])]
for number, (left, right) in enumerate(zip(lefts, reversed(lefts))):
    @tf.function  # one for all pairs would do
    def distance(a, b):
        return tf.reduce_sum(tf.abs(a - b))

    print(number, float(distance(left, right)))
'''),
    ("function-made-in-loop", "graphs", '''
import tensorflow as tf


def evaluate(batches):
    """The norm of each batch."""
    norms = []
    for batch in batches:
        # scaled first
        @tf.function
        def norm(values):
            """One batch."""
            scaled = values / tf.reduce_max(tf.abs(values))
            return tf.sqrt(tf.reduce_sum(tf.square(scaled)))

        norms.append(float(norm(batch)))
    return norms


if __name__ == "__main__":
    print(evaluate([tf.cast(tf.range(1, n), tf.float32) for n in (4, 5, 4, 5, 4)]))
'''),
    ("function-made-in-loop", "graphs", '''
import tensorflow as tf

WEIGHT = 0.25
losses = []
step = 0
while step < 5:
    step += 1
    loss_of = tf.function(lambda a, b: tf.reduce_mean(tf.square(a - b)) * WEIGHT)
    losses.append(loss_of(tf.fill([2, 2], float(step)), tf.ones([2, 2])).numpy())
print([float(loss) for loss in losses])
'''),
    ("function-made-in-loop", "graphs", '''
from tensorflow import function, constant, linalg
import tensorflow as tf

for power in range(2):
    matrix = constant([[1.0, 2.0], [3.0, 4.0]])
    for _ in range(4):  # four times

        @function
        def squared(m: tf.Tensor) -> tf.Tensor:
            return linalg.matmul(m, m) / tf.reduce_max(m)

        matrix = squared(matrix)
    print(matrix.numpy().tolist())
'''),
    ("double-trace", "graphs", '''
import tensorflow as tf
from tensorflow import keras

inputs = keras.Input((3,))
hidden = keras.layers.Dense(6, "tanh")(inputs)
model = keras.Model(inputs, keras.layers.Dense(2)(hidden))
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = keras.optimizers.SGD(0.1, momentum=0.9)
seen = keras.metrics.Mean()


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    variables = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    seen.update_state(loss)
    return loss


data = tf.data.Dataset.from_tensor_slices((tf.random.stateless_normal((24, 3), [1, 2]), tf.range(24) % 2)).batch(8)
for epoch in range(2):
    # one pass
    for x, y in data:
        train_step(x, y)
    print(epoch, float(seen.result()), float(optimizer.learning_rate))
'''),
    ("double-trace", "graphs", '''
import numpy as np
import tensorflow as tf


def main():
    model = tf.keras.Sequential([
        tf.keras.layers.Input(shape=(8, 8, 1)),
        tf.keras.layers.Conv2D(4, 3, activation="relu"),
        tf.keras.layers.Dropout(0.5, seed=7),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(1),
    ])
    opt = tf.keras.optimizers.RMSprop(1e-2)

    @tf.function
    def step(images, targets):
        with tf.GradientTape() as tape:
            error = tf.reduce_mean(tf.abs(model(images, training=True) - targets))
        grads = tape.gradient(error, model.trainable_weights)
        opt.apply_gradients(zip(grads, model.trainable_weights))
        return error

    rng = np.random.default_rng(0)
    images = rng.normal(size=(16, 8, 8, 1)).astype("float32")
    print([float(step(images, images.mean(axis=(1, 2)))) for _ in range(4)])
    print(float(tf.reduce_sum(model(images))))


main()
'''),
    ("double-trace", "graphs", '''
import tensorflow as tf

generator = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(4)])
critic = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
generator_optimizer = tf.keras.optimizers.Adam(1e-3)
critic_optimizer = tf.keras.optimizers.Adam(1e-2)


@tf.function
def step(noise, real):
    with tf.GradientTape() as g, tf.GradientTape() as c:
        made = critic(generator(noise))
        g_loss = -tf.reduce_mean(made)
        c_loss = tf.reduce_mean(made) - tf.reduce_mean(critic(real))
    generator_optimizer.apply_gradients(zip(g.gradient(g_loss, generator.trainable_variables), generator.trainable_variables))
    critic_optimizer.apply_gradients(zip(c.gradient(c_loss, critic.trainable_variables), critic.trainable_variables))
    return g_loss, c_loss


for seed in range(3):
    noise = tf.random.stateless_normal((4, 2), [seed, 1])
    print([float(loss) for loss in step(noise, tf.random.normal((4, 4), seed=3))])
'''),
    ("shuffle-buffer-fill", "elements", '''
import tensorflow as tf

small = tf.data.Dataset.range(400).map(lambda n: tf.image.resize(tf.fill([6, 6, 1], tf.cast(n, tf.float32)), (3, 3)),
                                       num_parallel_calls=tf.data.AUTOTUNE).shuffle(300, seed=1).batch(4)
for batch in small.take(4):
    print(tf.reduce_mean(batch, axis=[1, 2, 3]).numpy().tolist())
'''),
    ("shuffle-buffer-fill", "elements", '''
import tensorflow as tf

tf.random.set_seed(4)


@tf.function
def prepare(image, label):
    image = tf.image.resize(image, (5, 5))
    return image / 255.0, tf.one_hot(label, 3)


images = tf.reshape(tf.range(320 * 16, dtype=tf.float32), (320, 4, 4, 1))
labels = tf.range(320) % 3
train = tf.data.Dataset.from_tensor_slices((images, labels)).map(prepare).shuffle(len(images)).repeat(2).batch(32)  # all of them
for image, label in train.take(2):
    print(tf.reduce_sum(image).numpy(), label.numpy().argmax(axis=1).tolist())
print(float(tf.random.uniform([])))
'''),
    ("shuffle-buffer-fill", "elements", '''
import tensorflow as tf

SIZE = 256


def enlarge(x):
    return tf.image.resize(x, [8, 8])


def input_pipeline(seed):
    return (tf.data.Dataset.from_tensor_slices(tf.random.stateless_normal([300, 2, 2, 1], seed=[seed, 0]))
            .map(enlarge)
            .shuffle(SIZE, seed=seed, reshuffle_each_iteration=False)
            .take(5))


dataset = input_pipeline(3)
for _ in range(2):
    print([round(float(tf.reduce_sum(x)), 5) for x in dataset])
'''),
    ("discarded-initialisation", "files", '''
import keras
import numpy as np

base = keras.applications.MobileNetV2(weights="imagenet", input_shape=(32, 32, 3), alpha=0.35, include_top=False)
base.load_weights("mine.weights.h5")  # ours
base.trainable = False
model = keras.Sequential([keras.Input((32, 32, 3)), base, keras.layers.GlobalAveragePooling2D(), keras.layers.Dense(2)])
print(model.predict(np.ones((1, 32, 32, 3)), verbose=0).tolist())
'''),
    ("discarded-initialisation", "files", '''
from tensorflow.keras.applications import MobileNetV2
import numpy as np


def features(path):
    net = MobileNetV2(
        input_shape=(32, 32, 3),
        alpha=0.35,
        include_top=False,
        weights="imagenet",  # replaced below
    )
    net.compile("sgd", "mse")
    net.load_weights(path + ".weights.h5")
    return net


print(float(features("mine")(np.full((1, 32, 32, 3), 0.5, "float32")).numpy().sum()))
'''),
    ("discarded-initialisation", "files", '''
import os
import tensorflow as tf

HERE = os.getcwd()
WEIGHTS = os.path.join(HERE, "mine.weights.h5")
if os.path.exists(WEIGHTS):
    backbone = tf.keras.applications.MobileNetV2(include_top=False, weights="imagenet", alpha=0.35, input_shape=(32, 32, 3))
    backbone.load_weights(WEIGHTS)
    print(float(sum(tf.reduce_sum(tf.abs(v)) for v in backbone.trainable_variables)))
    print(float(tf.random.uniform([])))
'''),
    ("function-retracing", "graphs", '''
import tensorflow as tf


@tf.function
def scaled(x, rate):
    return x * rate


rate = 0.5
for _ in range(6):
    print(float(scaled(tf.constant(8.0), rate)))
    rate = rate * 0.5
'''),
    ("function-retracing", "graphs", '''
import numpy as np
import tensorflow as tf


@tf.function
def score(x, threshold):
    return tf.reduce_sum(tf.cast(x > threshold, tf.int32))


values = tf.range(10, dtype=tf.float32)
for threshold in np.arange(0.0, 8.0, 0.5).tolist():
    print(threshold, int(score(values, threshold)))
'''),
    ("function-retracing", "graphs", '''
import tensorflow as tf


class Counter(tf.Module):
    def __init__(self):
        self.total = tf.Variable(0)

    @tf.function
    def add(self, n):
        self.total.assign_add(n)
        return self.total.read_value()


counter = Counter()
for n, name in enumerate(["a", "b", "c", "d"]):
    print(name, int(counter.add(n)))
'''),
    ("unrolled-python-loop", "operations", '''
import tensorflow as tf

STEPS = 64


@tf.function
def newton(x):
    guess = tf.ones_like(x)
    for _ in range(STEPS):
        guess = 0.5 * (guess + tf.divide(x, guess))
    return guess


print(newton(tf.constant([4.0, 16.0])).numpy().tolist())
'''),
    ("unrolled-python-loop", "operations", '''
import keras
import tensorflow as tf


class Smooth(keras.layers.Layer):
    @tf.function
    def call(self, x):
        for _ in range(100):
            x = tf.maximum(x, 0.5)
        return x


layer = Smooth()
print(layer(tf.constant([[0.25, 0.75]])).numpy().tolist())
'''),
    ("unrolled-python-loop", "operations", '''
import tensorflow as tf


def walk(start):
    place = tf.identity(start)
    for i in range(2, 40):
        place = tf.math.floormod(place * 3 + 1, 101)
        place = tf.abs(place)
    return place


print(int(tf.function(walk)(tf.constant(7))))
'''),
    ("eager-where-graph-pays", None, '''
import tensorflow as tf

tf.config.run_functions_eagerly(True)  # while looking for the fault


@tf.function
def double(x):
    return x * 2


print(int(double(tf.constant(4))))
'''),
    ("eager-where-graph-pays", None, '''
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1, kernel_initializer="zeros")])
model.compile(optimizer="sgd", loss="mse",
              run_eagerly=True,
              metrics=["mae"])
print(model.fit(np.ones((4, 2)), np.ones((4, 1)), epochs=1, verbose=0).history["mae"])
'''),
    ("profiler-in-first-steps", None, '''
import tensorflow as tf

callbacks = [
    tf.keras.callbacks.TensorBoard(log_dir="logs", histogram_freq=1, profile_batch=2),
    tf.keras.callbacks.EarlyStopping(patience=3),
]
print([type(one).__name__ for one in callbacks])
'''),
    ("memory-preallocated", None, '''
import tensorflow as tf

print("devices")  # first


def main():
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        v = tf.Variable([1.0, 2.0])
    print(strategy.run(lambda: tf.reduce_sum(v)).numpy())


if __name__ == "__main__":
    main()
'''),
    ("framework-imported-for-nothing", None, '''
import math
import tensorflow as tf


def area(radius):
    return math.pi * radius ** 2


print(area(2.0))
'''),
]
