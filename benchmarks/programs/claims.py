"""What is timed inside a program for benchmarks/myths.py: one case, whose figures are printed as the last line, a JSON object.

Times are milliseconds. Every case has TensorFlow up and one small model built before it begins.
"""
import json
import os
import statistics
import sys
import time

import numpy as np
import tensorflow as tf

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "zoo"))
from make_models import model_path  # noqa: E402

v1 = tf.compat.v1


def timed(act):
    began = time.perf_counter()
    act()
    return 1000 * (time.perf_counter() - began)


def dense(width, initialiser, layers=1):
    return tf.keras.Sequential([tf.keras.layers.Dense(width, kernel_initializer=initialiser) for _ in range(layers)])


def build(initialiser, width):
    """Building a layer of width × width weights, by its initialiser."""
    model = dense(int(width), initialiser)
    return {"ms": timed(lambda: model.build((None, int(width))))}


def loss(initialiser):
    """The loss of a classifier after 200 steps on data that can be learned."""
    tf.keras.utils.set_random_seed(1)
    rng = np.random.default_rng(1)
    inputs = rng.normal(size=(6400, 64)).astype("float32")
    labels = np.argmax(inputs @ rng.normal(size=(64, 10)), axis=1)
    layers = [tf.keras.layers.Dense(size, activation=kind, kernel_initializer=initialiser) for size, kind in ((128, "relu"), (10, None))]
    model = tf.keras.Sequential(layers)
    model.compile(optimizer="adam", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    history = model.fit(inputs, labels, batch_size=32, epochs=1, verbose=0)
    return {"loss": history.history["loss"][-1], "evaluated": model.evaluate(inputs, labels, verbose=0)}


def load(name):
    """Loading a saved model as a whole, ready to be asked."""
    path = model_path(name)
    act = tf.saved_model.load if name.endswith("_saved_model") else tf.keras.models.load_model
    return {"ms": timed(lambda: act(path))}


def rounds(mode, number):
    """Initialising two variables over and over: `growing` in one graph, `fresh` in a new graph each, `once` in one session.

    Prints each round's time and the memory after it, in bytes.
    """
    v1.disable_eager_execution()
    times, memory = [], []

    def variables():
        weights, bias = v1.Variable(tf.random.normal([100, 100])), v1.Variable(tf.zeros([100]))
        return tf.reduce_mean(tf.matmul(tf.ones([1, 100]), weights) + bias)

    def one_round():
        with v1.Session() as session:
            result = variables()
            session.run(v1.global_variables_initializer())
            session.run(result)

    def in_a_fresh_graph():
        with tf.Graph().as_default():
            one_round()

    if mode == "once":
        session, result = v1.Session(), variables()
        session.run(v1.global_variables_initializer())
    act = {"growing": one_round, "fresh": in_a_fresh_graph, "once": lambda: session.run(result)}[mode]
    for _ in range(int(number)):
        times.append(timed(act))
        with open("/proc/self/statm") as file:
            memory.append(int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE"))
    return {"ms": times, "memory": memory}


def sessions(number):
    """Making a session, running one constant in it, and closing it, of one graph that does not change."""
    v1.disable_eager_execution()
    one = tf.constant(1.0)

    def act():
        with v1.Session() as session:
            session.run(one)

    kept = v1.Session()
    kept.run(one)
    made = [timed(act) for _ in range(int(number))]
    return {"ms": statistics.median(made), "kept_ms": statistics.median(timed(lambda: kept.run(one)) for _ in range(int(number)))}


def steps(mode):
    """The first and the later steps of a training loop of one's own: as a `tf.function`, or `eager`."""
    tf.keras.utils.set_random_seed(2)
    model = tf.keras.Sequential([tf.keras.Input((64,)), *(tf.keras.layers.Dense(64, activation="relu") for _ in range(8)),
                                 tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.SGD(0.01)
    inputs, targets = tf.random.normal([32, 64]), tf.random.normal([32, 1])

    def step():
        with tf.GradientTape() as tape:
            result = tf.reduce_mean(tf.square(model(inputs) - targets))
        optimizer.apply_gradients(zip(tape.gradient(result, model.trainable_variables), model.trainable_variables))
        return result

    act = tf.function(step) if mode == "function" else step
    times = [timed(lambda: act().numpy()) for _ in range(60)]
    return {"first_ms": times[0], "later_ms": statistics.median(times[20:])}


def first_step(optimizer):
    """The parts of the first training step of a MobileNetV2: compiling, the first and the later batches."""
    tf.keras.utils.set_random_seed(3)
    model = tf.keras.applications.MobileNetV2(weights=None, input_shape=(96, 96, 3), classes=10)
    images, labels = np.random.rand(8, 96, 96, 3).astype("float32"), np.zeros(8, dtype="int64")
    compiling = timed(lambda: model.compile(optimizer=optimizer, loss="sparse_categorical_crossentropy"))
    batches = [timed(lambda: model.train_on_batch(images, labels)) for _ in range(8)]
    return {"compile_ms": compiling, "first_ms": batches[0], "later_ms": statistics.median(batches[3:])}


if __name__ == "__main__":
    case, *arguments = sys.argv[1:]
    if case not in ("rounds", "sessions"):  # which leave eager execution before anything has run
        dense(2, "glorot_uniform").build((None, 2))
    print(json.dumps({"build": build, "loss": loss, "load": load, "rounds": rounds, "sessions": sessions, "steps": steps,
                      "first_step": first_step}[case](*arguments)))
