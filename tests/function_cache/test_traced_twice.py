"""A function whose trace builds layers is traced twice: what a trace says or does, a start has twice, whether it traces or answers."""

import pytest

from replay_harness import check_same, lab  # noqa: F401

pytestmark = pytest.mark.tensorflow

PROGRAM = """
import logging, sys, warnings
import keras, numpy as np, tensorflow as tf

logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(message)s")
log = logging.getLogger("steps")
keras.utils.set_random_seed(3)
TRACES = []


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.first, self.norm, self.last = keras.layers.Dense(4), keras.layers.BatchNormalization(), keras.layers.Dense(1)
        self.traces = 0

    def call(self, x, training=None):
        INSIDE
        return self.last(self.norm(self.first(x), training=training))


class Trainer:
    def __init__(self):
        self.net, self.optimizer, self.traces = Net(), keras.optimizers.Adam(), 0

    @tf.function
    def step(self, x, y):
        EFFECT
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self.net(x, training=True) - y) ** 2) * (1.0 + 0.0 * self.traces)
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.net.trainable_variables), self.net.trainable_variables))
        return loss


trainer = Trainer()
for _ in range(2):
    print(float(trainer.step(tf.ones((2, 3)), tf.zeros((2, 1)))))
print("traces", TRACES, trainer.traces, trainer.net.traces, [getattr(w, "path", w.name) for w in trainer.net.weights])
"""
SAYS = {
    "log": ("log.info('traced')", "pass"),
    "print": ("print('traced', x.shape)", "pass"),
    "print-inside": ("pass", "print('called', x.shape)"),
    "both": ("print('traced')", "log.info('called')"),
}
CHANGES = {
    "list": ("TRACES.append('traced')", "pass"),
    "attribute": ("self.traces += 1", "pass"),
    "inside": ("pass", "self.traces += 1"),
    "said-number": ("TRACES.append(1); print(len(TRACES))", "pass"),
    "first-only": ("print('first') if not TRACES else print('second'); TRACES.append(1)", "pass"),
}


def program(effect, inside):
    return PROGRAM.replace("EFFECT", effect).replace("INSIDE", inside)


def some(cases, quick):
    """All of them, of which those that are not quick are the suite's."""
    return [pytest.param(case, marks=() if case in quick else pytest.mark.suite) for case in cases]


@pytest.mark.parametrize("says", some(SAYS, ("log",)))
def test_what_a_trace_says_is_said_as_often_as_plainly(lab, says):  # noqa: F811
    check_same(lab(program(*SAYS[says])), ["step"])


@pytest.mark.parametrize("changes", some(CHANGES, ("first-only",)))
def test_what_a_trace_changes_is_changed_as_often_as_plainly(lab, changes):  # noqa: F811
    laboratory = lab(program(*CHANGES[changes]))
    plain = laboratory.plain()
    assert "traces" in plain.out
    for _ in range(4):  # refused or answered
        assert laboratory.boost().out == plain.out
    assert laboratory.boost({"replay": False}).out == plain.out


INNER = """
import keras, tensorflow as tf
keras.utils.set_random_seed(3)
TRACES = []
dense = keras.layers.Dense(2)


@tf.function
def inner(x):
    EFFECT
    return dense(x)


@tf.function
def outer(x):
    return tf.reduce_sum(inner(x))


print(float(outer(tf.ones((2, 3)))), float(outer(tf.ones((2, 3)))), TRACES)
"""


@pytest.mark.parametrize("effect", some(["print('inside')", "TRACES.append(1)", "pass"], ["TRACES.append(1)"]))
def test_a_function_inside_is_traced_twice_as_well(lab, effect):  # noqa: F811
    laboratory = lab(INNER.replace("EFFECT", effect))
    plain = laboratory.plain()
    for _ in range(4):
        assert laboratory.boost().out == plain.out
