"""All that boost does in the starts of one program, by the command that users type: no remedy is off without a word, on no Python."""

from __future__ import annotations

import re

import pytest
from programs import TARGET, has_keras_2

pytestmark = pytest.mark.tensorflow

START = """
import numpy as np, tensorflow as tf
from tensorflow import keras
keras.utils.set_random_seed(1)
x, y = np.random.rand(64, 8).astype("float32"), np.random.rand(64, 1).astype("float32")

class Scaled(keras.layers.Layer):
    def __init__(self, by):
        super().__init__()
        self.by, self.calls = by, None

    def call(self, inputs):
        return inputs * self.by

model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(16, activation="relu"), keras.layers.BatchNormalization(),
                          Scaled(2.0), keras.layers.Dense(1)])
"""
FIT = START + """
model.compile("adam", "mse", metrics=["mae"])
print(model.fit(x, y, batch_size=16, verbose=0).history)
"""
LOOP = START + """
optimizer = keras.optimizers.Adam()

@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss

print([float(step(x, y)) for _ in range(3)])
"""
SERVES = START + """
@tf.function
def serve(x):
    return model(x, training=False)

print([float(tf.reduce_sum(serve(x))) for _ in range(3)])
"""
OPTIONS = ("--set", "cache-functions.replay_over_ms=0", "--proof", "wait")
FROM_THE_FIRST_START = ("memoise-signatures", "defer-source-lines", "run-operations-directly")
FROM_THE_SECOND_START = ("pause-garbage-collection", "import-image", "keep-compiled", *FROM_THE_FIRST_START)


def told_of_functions(ran):
    """[(what, function)] of the function cache, in the order in which it is said."""
    whole = re.findall(r"^      (\w+) \(function (\w+)", ran.said.partition("\n  cache-functions: ")[2], re.M)
    return whole + re.findall(r"^  cache-functions: (\w+) \(function (\w+)", ran.said, re.M)


@pytest.mark.parametrize("name", ["fit", pytest.param("loop", marks=pytest.mark.suite)])
def test_three_starts_learn_confirm_and_answer_and_each_remedy_is_live(box, name):
    box.write("program.py", {"fit": FIT, "loop": LOOP}[name])
    function = "step" if name == "loop" else "train_function" if has_keras_2() else "multi_step_on_iterator"
    plain = box.plain("program.py", python=TARGET)
    starts = [box.boost("program.py", options=OPTIONS, python=TARGET) for _ in range(3)]
    for each in starts:
        assert (each.code, each.out) == (0, plain.out), each.said
        assert not re.search(r"Fatal Python error|Traceback|unproved|      error|no remedy was live", each.said), each.said
    for each, expected in zip(starts, (FROM_THE_FIRST_START, FROM_THE_SECOND_START, FROM_THE_SECOND_START)):
        assert [remedy for remedy in expected if not each.live(remedy)] == [], each.said
    first, second, third = map(told_of_functions, starts)
    assert starts[0].live("prebuild-variables") and ("learned", function) in first, starts[0].said
    assert ("confirmed", function) in second, starts[1].said
    assert {("live", function), ("proved", function)} <= set(third), starts[2].said


@pytest.mark.suite
def test_an_answered_prediction_makes_ready_as_a_traced_one(box):
    box.write("program.py", SERVES)
    plain = box.plain("program.py", python=TARGET)
    for what in ("learned", "confirmed", "proved"):
        ran = box.boost("program.py", options=OPTIONS, python=TARGET)
        assert ran.out == plain.out and (what, "serve") in told_of_functions(ran), ran.said
        assert "firststep: ready in" in ran.said, ran.said


def test_it_is_ready_at_its_first_step_and_watched_until_then(record, write):
    recorded = record([TARGET, write("program.py", FIT)])
    process = recorded.trace.processes[0]
    assert (recorded.code, process.errors, process.end[1]) == (0, (), "exit")
    assert recorded.trace.ready is not None and recorded.trace.ready.kind == "train"
    assert {"import", "trace", "first-execution", "fit"} <= {span.kind for span in process.spans}
