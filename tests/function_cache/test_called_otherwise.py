"""A function that is called again where TensorFlow optimises its graph anew, and one whose trace moves what its warnings are kept by."""

import pytest
from replay_harness import check_replayed, check_same, lab  # noqa: F401

OPTIONS = """
import tensorflow as tf

x, settings = tf.constant([1.0, 2.0]), {"k": 2.0}

@tf.function
def before(x):
    return x * settings["k"] + tf.sin(x)

@tf.function
def after(x):
    return x * settings["k"] - tf.sin(x)

print(before(x).numpy())
settings["k"] = 3.0
tf.config.optimizer.set_experimental_options({"remapping": False})
print(before(x).numpy(), after(x).numpy(), after(x).numpy())
"""
FILTERS = """
import warnings
import tensorflow as tf

def careful():
    warnings.warn("careful")

@tf.function
def quiet(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return x * 2.0

@tf.function
def other(x):
    return x * 3.0

with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("default")
    careful()
    print(other(tf.constant(1.0)).numpy(), len(said))
    careful()
    print(quiet(tf.constant(1.0)).numpy(), len(said))
    careful()
    print(len(said))
"""
FITS = """
import numpy as np, tensorflow as tf

tf.keras.utils.set_random_seed(7)
x, y = np.ones((32, 4), "float32"), np.zeros((32, 1), "float32")
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
model.compile("adam", "mse", metrics=["mae"])
print(model.fit(x, y, batch_size=16, verbose=0).history)
tf.config.optimizer.set_experimental_options({"layout_optimizer": False})
print(model.fit(x, y, batch_size=16, verbose=0).history)
"""
FAILS_LATE = """
import os
import tensorflow as tf

x, settings = tf.Variable(1.0), {"k": 2.0}

@tf.function
def step(): return x * settings["k"]

print(step().numpy())
if os.path.exists("late"):
    del settings["k"]
    with tf.GradientTape() as tape:
        try: print(tape.gradient(step(), x).numpy())
        except Exception as error: print(type(error).__name__)
"""


@pytest.mark.tensorflow
@pytest.mark.suite
def test_options_of_the_optimiser_set_between_two_fits(lab):  # noqa: F811
    """They stand in the graph, where a function calls another; and what the builds of the first trace have made is there for a late one."""
    assert len(check_replayed(lab(FITS)).functions("live")) == 1


@pytest.mark.suite
@pytest.mark.tensorflow
def test_a_late_trace_that_fails_is_no_error_of_the_programs(lab):  # noqa: F811
    """A plain run has made it, and goes on. Who catches the error has gone another way than that run."""
    laboratory = lab(FAILS_LATE)
    laboratory.learned()
    (laboratory.program.parent / "late").touch()
    ran = laboratory.boost(status=86)
    assert ran.out == "2.0\nTooLate\n"
    assert laboratory.boost().out == laboratory.plain().out == "2.0\n2.0\n"


@pytest.mark.suite
@pytest.mark.tensorflow
def test_options_of_the_optimiser_set_after_its_first_call(lab):  # noqa: F811
    """What it reads has changed by then: an answer would have to be traced late."""
    check_same(lab(OPTIONS), ["after"])


@pytest.mark.tensorflow
def test_a_trace_that_sets_the_filters_of_warnings(lab):  # noqa: F811
    """After that, what was said once is said once more."""
    ran = check_same(lab(FILTERS), ["other"])
    assert ran.reasons("refused") and "filters of warnings" in ran.reasons("refused")[0]
