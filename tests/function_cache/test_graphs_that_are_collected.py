"""`tf.summary.trace_on` has TensorFlow collect the graphs of functions: they are to be the program's, as made and as optimised."""

import pytest
from replay_harness import lab  # noqa: F401

pytestmark = pytest.mark.tensorflow

COLLECTS = """
import os
import tensorflow as tf

weights = tf.Variable([[1.0, 2.0], [3.0, 4.0]])

@tf.function
def f(x):
    for _ in range(3):
        x = tf.tanh(x @ weights)
    return x

def collected(name, call):
    writer = tf.summary.create_file_writer(name)
    tf.summary.trace_on(graph=True)
    call()
    with writer.as_default():
        tf.summary.trace_export("t", step=0)
    writer.close()
    for part in sorted(os.listdir(name)):
        for event in tf.compat.v1.train.summary_iterator(os.path.join(name, part)):
            for value in event.summary.value:
                found = tf.compat.v1.RunMetadata.FromString(value.tensor.string_val[0]).function_graphs
                print(name, [(len(each.pre_optimization_graph.node), len(each.post_optimization_graph.node)) for each in found])
        os.remove(os.path.join(name, part))

FIRST
collected("first", lambda: f(tf.ones([1, 2])))
print(f(tf.ones([2, 2])).numpy().tolist())
collected("another shape", lambda: f(tf.ones([3, 2])))
"""


@pytest.mark.parametrize("first", ["", pytest.param("f(tf.ones([1, 2]))", marks=pytest.mark.suite)])
def test_what_is_collected_is_what_is_collected_plainly(lab, first):  # noqa: F811
    laboratory = lab(COLLECTS.replace("FIRST", first))
    plain = laboratory.plain()
    assert plain.out.count("(") > 4
    for _ in range(4):
        ran = laboratory.boost()
        assert ran.out == plain.out, ran.notes
