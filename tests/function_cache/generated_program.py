"""Trains the models that `models.json` beside it describes, twenty steps each, and prints every loss and weight.

Each is trained beside functions that are traced before and after it, all of one name, and its layers have the names of
the other models' layers.
"""

import hashlib
import json
import os
import threading

import keras
import numpy as np
import tensorflow as tf

STEPS = 20
LOCK = threading.Lock()


def digest(*arrays):
    found = hashlib.sha256()
    for array in arrays:
        array = np.ascontiguousarray(array)
        found.update(f"{array.dtype}{array.shape}".encode() + array.tobytes())
    return found.hexdigest()[:16]


class Scale(keras.layers.Layer):
    """Keeps a plain number that is in no configuration, and a state that each training step moves."""

    def __init__(self, factor, **options):
        super().__init__(**options)
        self.factor = factor

    def build(self, shape):
        self.mean = self.add_weight(shape=(shape[-1],), initializer="zeros", trainable=False, name="mean")
        self.built = True

    def call(self, x, training=False):
        if training:
            axes = list(range(len(x.shape) - 1))
            self.mean.assign(self.mean * 0.9 + tf.reduce_mean(tf.cast(x, self.mean.dtype), axes) * 0.1)
        return x * self.factor - tf.cast(self.mean, x.dtype) * 0.1


def layer(kind, options, number):
    if kind == "Scale":
        return Scale(name=f"l{number}", **options)
    if kind == "Lambda":
        factor = options["factor"]
        return keras.layers.Lambda(lambda x: x * factor + 0.5, name=f"l{number}")
    return getattr(keras.layers, kind)(name=f"l{number}", **options)


def network(spec):
    inputs = x = keras.Input(tuple(spec["shape"]))
    for number, (kind, options) in enumerate(spec["layers"]):
        x = layer(kind, options, number)(x)
    if len(x.shape) > 2:
        x = keras.layers.Flatten(name="flat")(x)
    if spec["skip"]:
        x = keras.layers.Concatenate(name="skip")([x, keras.layers.Flatten(name="flatter")(inputs)])
    outputs = keras.layers.Dense(spec["outputs"], name="last", dtype="float32")(x)
    made = Stepping if spec["trainer"] == "train_step" else keras.Model
    model = made(inputs, outputs)
    if spec["frozen"]:
        model.layers[1].trainable = False
    return model


class Stepping(keras.Model):
    """Does its own training step."""

    def train_step(self, data):
        x, y = data[:2]
        with tf.GradientTape() as tape:
            prediction = self(x, training=True)
            loss = self.compute_loss(x, y, prediction)
        gradients = [tf.clip_by_norm(g, 2.0) for g in tape.gradient(loss, self.trainable_variables)]
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        for metric in self.metrics:
            if metric.name == "loss":
                metric.update_state(loss)
            else:
                metric.update_state(y, prediction)
        return {**self.get_metrics_result(), "norm": tf.linalg.global_norm(gradients)}


def loss_of(spec):
    power = spec["power"]

    def powered(y, p):
        return tf.reduce_mean(tf.abs(tf.cast(y, p.dtype) - p) ** power, axis=-1)

    def locked(y, p):
        with LOCK:  # nobody can digest it: every function that calls this is refused
            return powered(y, p)

    return {
        "mse": "mse", "huber": keras.losses.Huber(0.3), "powered": powered, "locked": locked,
        "classes": keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    }[spec["loss"]]


def optimizer_of(spec):
    name, options = spec["optimizer"]
    if options.get("schedule"):
        options = {**options, "learning_rate": keras.optimizers.schedules.ExponentialDecay(options["learning_rate"], 5, 0.7)}
    return getattr(keras.optimizers, name)(**{k: v for k, v in options.items() if k != "schedule"})


def data_of(spec, random):
    x = random.rand(spec["batch"] * 5 - spec["ragged"], *spec["shape"]).astype("float32")
    if spec["loss"] == "classes":
        return x, random.randint(0, spec["outputs"], len(x))
    return x, random.rand(len(x), spec["outputs"]).astype("float32")


def train(model, spec, x, y):
    batches = [slice(i, i + spec["batch"]) for i in range(0, len(x), spec["batch"])]
    if spec["trainer"] == "loop":
        loss_function, optimizer = keras.losses.get(loss_of(spec)), optimizer_of(spec)

        @tf.function(reduce_retracing=spec["skip"])
        def f(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(loss_function(y, model(x, training=True)))
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
            return loss

        for step in range(STEPS):
            chosen = batches[step % len(batches)]
            print(step, repr(float(f(x[chosen], y[chosen]))))
        return
    metrics = list(spec["metrics"]) if spec["loss"] != "classes" else ["accuracy"]
    model.compile(optimizer_of(spec), loss_of(spec), metrics=metrics, steps_per_execution=spec["together"])
    if spec["trainer"] == "batches":
        for step in range(STEPS):
            chosen = batches[step % len(batches)]
            print(step, model.train_on_batch(x[chosen], y[chosen]))
        return
    weights = {c: 1.0 + c for c in range(spec["outputs"])} if spec["loss"] == "classes" and spec["weighted"] else None
    epochs = STEPS // len(batches)
    if spec["piped"]:
        history = model.fit(piped(x, y, spec), epochs=epochs, verbose=0, class_weight=weights)
    else:
        history = model.fit(x, y, batch_size=spec["batch"], epochs=epochs, verbose=0, class_weight=weights)
    print(history.history)
    print(model.evaluate(x, y, verbose=0))


def piped(x, y, spec):
    """The data by a pipeline whose functions take a while to trace."""
    scale = spec["power"]

    def prepare(example, target):
        for i in range(40):
            example = example * scale / scale + float(i) - float(i)
        if tf.reduce_mean(example) > 0.4:
            example = example + 0.1
        return example, target

    kept = tf.data.Dataset.from_tensor_slices((x, y)).map(prepare, num_parallel_calls=2)
    return kept.filter(lambda example, target: tf.reduce_sum(example) > -1e9).batch(spec["batch"])


def surroundings(model, spec, when):
    """Functions of one name, traced before and after, one of which calls the model."""
    factor = spec["power"]

    @tf.function
    def f(x):
        return model(x, training=False) * factor

    @tf.function
    def g(x):
        return tf.reduce_sum(f(x)) + when

    x = tf.ones((2, *spec["shape"]))
    print(when, digest(f(x)), repr(float(g(x))), digest(f(x)))


def main():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "models.json")) as file:
        specs = json.load(file)
    for spec in specs:
        keras.backend.clear_session()
        keras.utils.set_random_seed(spec["seed"])
        model = network(spec)
        x, y = data_of(spec, np.random.RandomState(spec["seed"]))
        surroundings(model, spec, 1.0)
        train(model, spec, x, y)
        surroundings(model, spec, 2.0)
        print(digest(*model.get_weights()), digest(model.predict(x, verbose=0)))


main()
