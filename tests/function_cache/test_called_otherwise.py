"""A function that is called again where TensorFlow optimises its graph anew, and one whose trace moves what its warnings are kept by."""

import pytest
from replay_harness import check_same, lab  # noqa: F401

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


@pytest.mark.tensorflow
def test_options_of_the_optimiser_set_after_its_first_call(lab):  # noqa: F811
    """What it reads has changed by then: an answer would have to be traced late."""
    check_same(lab(OPTIONS), ["after"])


@pytest.mark.tensorflow
def test_a_trace_that_sets_the_filters_of_warnings(lab):  # noqa: F811
    """After that, what was said once is said once more."""
    ran = check_same(lab(FILTERS), ["other"])
    assert ran.reasons("refused") and "filters of warnings" in ran.reasons("refused")[0]
