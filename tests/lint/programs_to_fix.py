"""Real programs that a fix makes faster: {rule: (safe, what is counted, program)}. They print what they compute."""

PROGRAMS = {
    "function-made-in-loop": (True, "graphs", '''
import tensorflow as tf

total = 0.0
for number in range(6):
    # squares, and their sum
    @tf.function
    def measure(x):
        return tf.reduce_sum(tf.square(x))

    total += float(measure(tf.fill([3], float(number))))
print(total)
'''),
    "double-trace": (True, "graphs", '''
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


rng = np.random.default_rng(3)
for _ in range(5):
    x = rng.random((16, 4)).astype("float32")
    print(float(step(x, x.sum(axis=1, keepdims=True))))
'''),
    "shuffle-buffer-fill": (True, "elements", '''
import tensorflow as tf


def load(image):
    return tf.image.resize(image, (4, 4))  # what takes long


images = tf.random.stateless_uniform((600, 8, 8, 3), [1, 2])
data = (
    tf.data.Dataset.from_tensor_slices(images)
    .map(load)  # each one
    .shuffle(500, seed=5)  # before batching
    .batch(8)
)
for batch in data.take(3):
    print(float(tf.reduce_sum(batch)))
'''),
    "discarded-initialisation": (True, "files", '''
import numpy as np
import keras

model = keras.applications.MobileNetV2(input_shape=(32, 32, 3), alpha=0.35, include_top=False, weights="imagenet", pooling="avg")
model.load_weights("mine.weights.h5")
print(model(np.ones((1, 32, 32, 3), "float32"))[0, :5].numpy().tolist())
print(keras.random.normal((2,)).numpy().tolist())
'''),
    "function-retracing": (False, "graphs", '''
import tensorflow as tf


@tf.function
def add(x, n):
    return x + n


for n in range(8):
    print(int(add(tf.constant(1), n)))
'''),
    "unrolled-python-loop": (False, "operations", '''
import tensorflow as tf


@tf.function
def settle(x):
    for _ in range(200):
        x = 0.5 * x + tf.constant(1.0)
    return x


print(float(settle(tf.constant(100.0))))
'''),
    "eager-where-graph-pays": (False, None, '''
import keras
import numpy as np

model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1, kernel_initializer="ones")])
model.compile("sgd", "mse", run_eagerly=True)
print(np.round(model.predict(np.ones((2, 2)), verbose=0), 5).tolist())
'''),
    "profiler-in-first-steps": (False, None, '''
import keras

board = keras.callbacks.TensorBoard("logs", update_freq="epoch", profile_batch=(1, 2))
print(board.update_freq)
'''),
    "memory-preallocated": (False, None, '''
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    value = tf.Variable(2.0)
print(strategy.run(lambda: value * 3).numpy())
'''),
}
