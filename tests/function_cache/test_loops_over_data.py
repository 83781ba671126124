"""Functions that go through a dataset of the program's, or take from its iterator: the tensor that stands for it is captured."""

import pytest
from replay_harness import check_replayed, lab  # noqa: F401

pytestmark = [pytest.mark.tensorflow]

LOOPS = """
import numpy as np
import tensorflow as tf

tf.random.set_seed(1)
numbers = np.arange(8, dtype="f4").reshape(4, 2)
pairs = tf.data.Dataset.from_tensor_slices((numbers, np.ones((4, 1), "f4"))).batch(2)
shuffled = tf.data.Dataset.range(10).shuffle(10, seed=3)
iterator = iter(pairs.repeat())


class Data:
    def __init__(self):
        self.train = pairs.map(lambda a, b: (a * 2, b))
        self.iterator = iter(self.train.repeat())


data, w = Data(), tf.Variable([[1.0], [2.0]])


@tf.function
def epoch():
    total = 0.0
    for a, b in pairs:
        total += tf.reduce_sum((a @ w - b) ** 2)
        w.assign_sub([[0.001], [0.001]])
    return total


@tf.function
def reduced():
    return pairs.reduce(0.0, lambda total, pair: total + tf.reduce_sum(pair[0] @ w))


@tf.function
def taken():
    a, b = next(iterator)
    return tf.reduce_sum(a @ w)


@tf.function
def held():
    total = 0.0
    for i, (a, b) in data.train.enumerate():
        total += tf.reduce_sum(a) * tf.cast(i, tf.float32)
    for _ in tf.range(3):
        total += tf.reduce_sum(next(data.iterator)[0])
    return total


@tf.function
def in_order():
    total = tf.constant(0, tf.int64)
    for each in shuffled:
        total = total * 3 + each
    return total


for _ in range(3):
    print(*(float(function()) for function in (epoch, reduced, taken, held, in_order)))
"""
ALL = "(epoch, reduced, taken, held, in_order)"


@pytest.mark.suite
def test_loops_over_data_are_answered(lab):  # noqa: F811
    check_replayed(lab(LOOPS.replace(ALL, "(epoch, taken)")), ["epoch", "taken"])


@pytest.mark.suite
def test_of_each_kind(lab):  # noqa: F811
    check_replayed(lab(LOOPS), ["epoch", "reduced", "taken", "held", "in_order"])


@pytest.mark.suite
@pytest.mark.parametrize("change", [
    ("(4, 2)", "(4, 2) + 1"), (".batch(2)", ".batch(3)"), (".batch(2)", ".batch(2, drop_remainder=True)"), ("(a * 2, b)", "(a * 3, b)"), ("seed=3", "seed=4"),
    ("pairs.repeat()", "pairs.map(lambda a, b: (a + 1, b)).repeat()"), ("data, w", "pairs, data, w = pairs.skip(1), Data(), tf.Variable([[1.0], [2.0]])\nother, v"),
], ids=lambda change: change[1][:20])
def test_what_has_changed_of_the_data_counts(lab, change):  # noqa: F811
    laboratory = lab(LOOPS)
    for _ in range(3):
        laboratory.boost()
    assert LOOPS.count(change[0])
    laboratory.program.write_text(LOOPS.replace(*change))
    plain, changed = laboratory.plain(), laboratory.boost()
    assert changed.out == plain.out
