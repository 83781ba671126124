"""A function that is called before TensorFlow has begun: nothing can be known of its devices, and the functions after it are answered."""

import pytest
from replay_harness import lab  # noqa: F401

pytestmark = pytest.mark.tensorflow

FIRST_OF_ALL = """
import numpy as np, tensorflow as tf
{before}

@tf.function
def first(x):
    for number in range(20):
        x = tf.tanh(x * 1.5 + float(number))
    return x

print(first(np.ones(3, "float32")).numpy())
w = tf.Variable(tf.ones(3))

@tf.function
def step(x):
    for number in range(20):
        x = tf.tanh(x * w + float(number))
    w.assign_sub(x * .01)
    return tf.reduce_sum(x)

print([float(step(tf.ones(3))) for _ in range(3)], w.numpy())
"""


@pytest.mark.parametrize("before", ["tf.random.set_seed(3)", pytest.param("", marks=pytest.mark.suite)])
def test_the_functions_after_it_are_answered(lab, before):  # noqa: F811
    laboratory = lab(FIRST_OF_ALL.format(before=before))
    plain = laboratory.plain()
    for noted in ("learned", "confirmed", "live"):
        ran = laboratory.boost()
        assert ran.out == plain.out
        assert "step" in ran.functions(noted), ran.notes
        assert ran.reasons("refused") == ["TensorFlow has no devices yet: it looks for them in the function's first call"]
        assert not {"error", "unproved"} & {what for what, _ in ran.notes}, ran.notes
