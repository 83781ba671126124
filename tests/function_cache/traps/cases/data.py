"""What functions of tf.data pipelines find: they are traced once, when the dataset is made, and nobody calls them afterwards."""

import os

import numpy as np
import tensorflow as tf

from cases import pick

OFFSET = 1


def _heavy(x):
    """A trace of under 10 ms would not be kept."""
    for i in range(60):
        x = x + i - i
    return x


def _elements(dataset):
    return [np.stack([element.numpy() for element in dataset])]


def global_in_a_mapped_function():
    global OFFSET
    OFFSET = pick(1, 2)
    return _elements(tf.data.Dataset.range(3).map(lambda n: _heavy(n) + OFFSET))


def closure_of_a_mapped_function():
    table = {"factors": [1, pick(2, 3)]}
    return _elements(tf.data.Dataset.range(3).map(lambda n: _heavy(n) * table["factors"][1]))


def array_in_a_mapped_function():
    array = np.array([1, 2, pick(3, 4)])
    return _elements(tf.data.Dataset.range(3).map(lambda n: _heavy(n) + tf.gather(array, n)))


def attribute_of_a_callable_object():
    class Add:
        def __init__(self, amount):
            self.amount = amount

        def __call__(self, n):
            return _heavy(n) + self.amount

    return _elements(tf.data.Dataset.range(3).map(Add(pick(1, 2))))


def layer_in_a_mapped_function():
    layer = tf.keras.layers.Rescaling(pick(2.0, 3.0))
    return _elements(tf.data.Dataset.range(3).map(lambda n: layer(tf.reshape(_heavy(n), (1, 1)))))


def file_read_in_a_mapped_function():
    path = os.path.join(os.environ["TRAPS"], "amount.txt")
    with open(path, "w") as file:
        file.write(pick("5", "6"))

    def add(n):
        with open(path) as file:
            return _heavy(n) + int(file.read())

    return _elements(tf.data.Dataset.range(3).map(add))


def order_of_the_keys_of_an_element():
    columns = {"a": [1, 2], "b": [3, 4]} if pick(True, False) else {"b": [1, 2], "a": [3, 4]}
    return _elements(tf.data.Dataset.from_tensor_slices(columns).map(lambda row: _heavy(row["a"]) - row["b"]))


def seed_of_a_mapped_function():
    tf.random.set_seed(pick(3, 4))
    return _elements(tf.data.Dataset.range(3).map(lambda n: tf.random.uniform([]) + tf.cast(_heavy(n), tf.float32)))


def branch_in_a_filter():
    limit = pick(1, 2)

    def keep(n):
        kept = False
        if _heavy(n) < limit:
            kept = True
        return kept

    return _elements(tf.data.Dataset.range(4).filter(keep))
