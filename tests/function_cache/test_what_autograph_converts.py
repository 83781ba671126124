"""AutoGraph converts the frameworks' own functions where the program asks for that: what stands in their place has no source."""

import pytest
from replay_harness import check_replayed, lab  # noqa: F401

pytestmark = pytest.mark.tensorflow

CONVERTS = """
import functools
import tensorflow as tf

tf.autograph.set_verbosity(0, alsologtostdout=True)  # a warning is a part of what is printed

@tf.function
def inner(x):
    return x + 1.0

total, weights = tf.Variable(0.0), tf.Variable([1.0, 2.0])
optimizer = tf.keras.optimizers.SGD(0.5)
optimizer.build([weights])

one = tf.constant(1.0)
print(tf.function(functools.partial(inner))(one).numpy())
print(tf.function(inner.get_concrete_function(one))(one).numpy())
print(tf.function(functools.partial(total.assign_add))(one).numpy(), tf.function(total.assign_add)(one).numpy())
tf.function(optimizer.apply_gradients)([(tf.ones(2), weights)])
print(weights.numpy())
try:
    tf.function(optimizer.apply_gradients)(tf.ones(2))
except Exception as error:
    print(type(error).__name__, "in user code" in str(error))
"""


def test_a_frameworks_function_that_is_given_to_tf_function_is_converted_as_plainly(lab):  # noqa: F811
    check_replayed(lab(CONVERTS), at_least=["assign_add"])
