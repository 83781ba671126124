"""A setting that counts and cannot be read: there is no key, so that nothing is answered or learned, and that is said once."""

import textwrap

import pytest

from replay_harness import lab  # noqa: F401

pytestmark = pytest.mark.tensorflow
PROGRAM = textwrap.dedent("""
    import sys
    import tensorflow as tf
    from tensorflow.python.eager.context import Context

    class Hidden:
        def __get__(self, holder, kind):
            if "firststep_agent" in sys._getframe(1).f_code.co_filename:
                raise AttributeError("there is no _device_policy")
            return vars(holder)["_device_policy"]

        def __set__(self, holder, value):
            vars(holder)["_device_policy"] = value

    Context._device_policy = Hidden()
    first, second = (tf.function(lambda x, by=by: tf.reduce_sum(x * by)) for by in (2.0, 3.0))
    print(first(tf.ones([2])).numpy(), second(tf.ones([2])).numpy())
""")


def test_nothing_is_learned_or_answered_and_that_is_said_once(lab):  # noqa: F811
    laboratory = lab(PROGRAM)
    plain = laboratory.plain()
    for _ in range(2):
        boosted = laboratory.boost()
        assert boosted.out == plain.out
        ((noted, labels),) = boosted.notes
        assert noted == "refused" and "TensorFlow's context cannot be read" in labels["reason"] and "_device_policy" in labels["reason"]
    assert not laboratory.entries()
