"""What TensorFlow says the first few times only (`log_first_n`), or once (what is deprecated): its counts are where the trace would have
left them."""

import pytest
from replay_harness import check_replayed, lab  # noqa: F401

pytestmark = [pytest.mark.tensorflow]

COUNTS = """
import logging, sys
import tensorflow as tf
from tensorflow.python.platform import tf_logging

logging.getLogger("tensorflow").addHandler(logging.StreamHandler(sys.stdout))
w = tf.Variable(2.0)


def slope(x):
    with tf.GradientTape(persistent=True) as tape:  # TensorFlow warns of this five times
        tape.watch(x)
        y = w * x * x
        return tape.gradient(y, x)


@tf.function
def physics(x):
    return slope(x) + slope(2.0 * x)


@tf.function
def more(x):
    return slope(x) - slope(3.0 * x)


@tf.function
def twice_only(x):
    tf.compat.v1.logging.log_first_n(tf.compat.v1.logging.WARN, "only %d times", 2, 2)
    return x * w


def counts():
    return [(line, count) for (_, line), count in tf_logging._log_counter_per_token.items()]


X = tf.constant(3.0)
for function in (physics, more, twice_only):
    print(float(function(X)), counts())
for _ in range(2):
    print(float(twice_only(tf.ones([]))), float(twice_only(tf.constant([2.0]))[0]), counts())
print(float(slope(X)), float(slope(X)), counts())
print(len(physics.get_concrete_function(X).graph.get_operations()) > 3, float(tf.function(lambda x: more(x) + 1.0)(X)), counts())
"""


@pytest.mark.suite
def test_it_says_what_it_says_plainly_and_counts_on(lab):  # noqa: F811
    """At a late trace, too: it is silent, and counts nothing. What the converted code itself asks for is counted by the line of a file that
    is another in each start: refused."""
    laboratory = lab(COUNTS.replace('print(len(physics', 'if "late" in __file__: print(len(physics'))
    check_replayed(laboratory, ["physics", "more"])
    laboratory.program.write_text(COUNTS)  # the key holds the functions' code, and not the lines behind them
    plain, late = laboratory.plain(), laboratory.boost()
    assert late.out == plain.out


@pytest.mark.suite
def test_after_another_number_of_messages_it_is_traced(lab):  # noqa: F811
    laboratory = lab(COUNTS.replace("X = tf", "slope(tf.constant(1.0)) if ASKED else None; X = tf").replace("import logging", "ASKED = False; import logging"))
    for _ in range(2):
        laboratory.boost()
    laboratory.program.write_text(laboratory.program.read_text().replace("ASKED = False", "ASKED = True"))
    plain, other = laboratory.plain(), laboratory.boost()
    assert other.out == plain.out
    assert "physics" not in other.functions("live") and "more" not in other.functions("live")


BUILT = """
import tensorflow as tf
from tensorflow import keras
from tensorflow.python.platform import tf_logging


class Slope(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(1, kernel_initializer="ones")

    def call(self, x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = self.dense(x)
            return tape.gradient(y, x)


model = Slope()
model.dense.build((None, 2))
model.compile("adam", "mse")
print(model.fit(tf.ones((4, 2)), tf.ones((4, 2)), epochs=2, verbose=0).history)
print(list(tf_logging._log_counter_per_token.values()))
"""


@pytest.mark.suite
def test_a_trace_that_is_made_twice_counts_twice(lab):  # noqa: F811
    """The optimizer's variables are made in the first."""
    check_replayed(lab(BUILT), ["multi_step_on_iterator"])


DEPRECATED = """
import logging, sys
import tensorflow as tf
from tensorflow.python.util import deprecation

logging.getLogger("tensorflow").addHandler(logging.StreamHandler(sys.stdout))
w = tf.Variable(2.0)


@tf.function
def mapped(x):
    return tf.map_fn(lambda row: row * w, x, dtype=tf.float32)


@tf.function(autograph=False)
def looped(x):
    return tf.while_loop(lambda i, y: i < 3, lambda i, y: [i + 1, y * w], [0, x], back_prop=False)[1]


@tf.function
def cast(x):
    return tf.compat.v1.to_float(x) * w


X = tf.constant([1.0, 2.0])
print(mapped(X).numpy().tolist(), looped(X).numpy().tolist(), cast(X).numpy().tolist(), len(deprecation._PRINTED_WARNING))
for kind in (tf.compat.v1.to_float, tf.compat.v1.to_int32):
    kind(X)
mapped(tf.constant([3.0]))
print(len(deprecation._PRINTED_WARNING), len(mapped.get_concrete_function(X).graph.get_operations()) > 3, len(deprecation._PRINTED_WARNING))
"""


@pytest.mark.suite
def test_what_is_deprecated_is_said_once(lab):  # noqa: F811
    check_replayed(lab(DEPRECATED), ["mapped", "looped", "cast", "mapped"])


WARNED = """
import sys, warnings
import tensorflow as tf

sys.stderr = sys.stdout
w = tf.Variable(2.0)


@tf.function(autograph=False)
def handed_out(x):
    warnings.warn("it is passed on")
    return x + w


X = tf.constant(1.0)
print(handed_out(X).numpy())
with warnings.catch_warnings():  # what was shown is shown again from here on
    pass
print(len(handed_out.get_concrete_function(X).graph.get_operations()) > 1)
print(handed_out(tf.constant([1.0])).numpy())
"""


@pytest.mark.suite
def test_a_trace_that_is_put_off_leaves_what_was_warned_of(lab):  # noqa: F811
    check_replayed(lab(WARNED), ["handed_out", "handed_out"])
