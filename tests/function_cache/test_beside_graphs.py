"""Functions of programs that keep graphs of TensorFlow 1 as well."""

import textwrap

import pytest

from replay_harness import check_replayed, lab  # noqa: F401

pytestmark = pytest.mark.tensorflow


@pytest.mark.suite
def test_variables_of_a_graph_stand_in_the_way_of_no_proof(lab):  # noqa: F811
    check_replayed(lab(textwrap.dedent("""
        import tensorflow as tf

        v1 = tf.compat.v1
        graph = tf.Graph()
        with graph.as_default():
            x = v1.placeholder(tf.float32, (None, 2))
            w = v1.get_variable("w", (2, 1), initializer=v1.ones_initializer(), use_resource=True)
            loss = tf.reduce_sum(x @ w)
            step = v1.train.GradientDescentOptimizer(0.1).minimize(loss)
            with v1.Session() as session:
                session.run(v1.global_variables_initializer())
                for _ in range(3):
                    print(session.run([loss, step], {x: [[1.0, 2.0]]})[0])

        v = tf.Variable(2.0)

        @tf.function
        def f(a):
            v.assign_add(1.0)
            return a * v

        for number in range(3):
            print(float(f(tf.constant(1.0 + number))))
    """)), functions=["f"])
