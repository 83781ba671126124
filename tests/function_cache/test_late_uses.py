"""Functions that are used later than at their first call, in a process that is another by then: an unchanged start is never stopped."""

import textwrap

import pytest
from replay_harness import lab  # noqa: F401

pytestmark = pytest.mark.tensorflow

OTHERWISE = """
    import copy
    from tensorflow import keras
    import tensorflow as tf

    class Box: pass

    def converted(by):
        return lambda box, dtype=None, name=None, as_ref=False: tf.constant(by, dtype)

    class Model(tf.Module):
        @tf.function
        def keeps(self, x):
            self.last = tf.nn.dropout(x, 0.5)
            return x * 2.0

    w, rate = tf.Variable(2.0), 0.5
    tf.register_tensor_conversion_function(Box, converted(2.0))
    entropy = keras.losses.BinaryCrossentropy()
    model = Model()

    @tf.function
    def draws(x): return x + 0.0 * tf.random.uniform([3])

    @tf.function
    def clipped(x): return entropy(tf.ones([3, 1]), tf.sigmoid(x)[:, None])

    @tf.function
    def boxed(x): return x + tf.convert_to_tensor(Box())

    @tf.function
    def checked(x): return tf.sin(x) * w

    @tf.function
    def copied(x): return x * rate

    @tf.function
    def unmoved(x): return x * w

    X = tf.constant([1.0, 2.0, 3.0])

    def of(function):
        return [operation.type for operation in function.get_concrete_function(X).graph.get_operations()][-4:]

    tf.random.set_seed(1)
    print([function(X).numpy().tolist() for function in (draws, clipped, boxed, checked, copied, unmoved, model.keeps)])
    tf.random.set_seed(2)
    print(of(draws), of(unmoved), model.last.op.type)
    keras.backend.set_epsilon(0.01)
    print(of(clipped))
    tf.register_tensor_conversion_function(Box, converted(4.0), priority=1)
    print(of(boxed))
    tf.debugging.enable_check_numerics()
    print(of(checked))
    tf.debugging.disable_check_numerics()
    rate = 0.25
    try:
        print(copy.deepcopy(copied))
    except TypeError as error:
        print(error)
    print([function(X).numpy().tolist() for function in (draws, clipped, boxed, checked, copied, unmoved)])
"""


def test_a_trace_that_would_come_out_otherwise_is_not_put_off(lab):  # noqa: F811
    """Global seed, settings, registries, what looks on at operations: the start that confirms has a child make that trace."""
    laboratory = lab(textwrap.dedent(OTHERWISE))
    plain = laboratory.plain()
    for _ in range(3):
        ran = laboratory.boost()
        assert ran.out == plain.out
    assert ran.functions("live") == ["unmoved"] == ran.functions("proved"), ran.notes
    assert {"draws", "clipped", "boxed", "checked", "copied", "keeps"} <= set(ran.functions("refused")), ran.notes


def test_where_tensorflow_tells_of_its_operations_it_tells_of_all(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent("""
        import tensorflow as tf

        tf.debugging.set_log_device_placement(True)
        w = tf.Variable(2.0)

        @tf.function
        def step(x):
            return tf.sin(x * w)

        print(float(step(tf.constant(3.0))))
    """))
    plain = laboratory.plain()
    assert "Sin" in plain.out
    ran = laboratory.boost()
    assert ran.out == plain.out and ran.functions("refused") == ["step"]
