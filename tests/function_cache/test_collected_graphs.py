"""TensorFlow collects graphs in one buffer for all threads: a function's own is told from what threads mix."""

import os
import subprocess
import textwrap
from pathlib import Path

import pytest
from programs import has_keras_2

from tests.function_cache.replay_harness import TARGET, check_replayed, lab  # noqa: F401

pytestmark = pytest.mark.tensorflow
SOURCE = Path(__file__).resolve().parents[2] / "src"

PROGRAM = textwrap.dedent("""
    import tensorflow as tf
    from tensorflow.core.protobuf import config_pb2
    from tensorflow.python.eager import context
    from firststep_agent.boost.cache_functions.keep import convert

    def collected(function, *arguments):
        context.context().enable_graph_collection()
        function(*arguments)
        metadata = context.context().export_run_metadata()
        context.context().disable_graph_collection()
        assert len(metadata.function_graphs) == 1
        return metadata.function_graphs[0]

    w = tf.Variable(2.)
    f, g = tf.function(lambda x: w * x), tf.function(lambda x: w * x + 1.)
    one, two = f.get_concrete_function(tf.constant(1.)), g.get_concrete_function(tf.constant(1.))
    own, other = collected(one, tf.constant(1.)), collected(two, tf.constant(1.))
    definition = one.function_def

    def of(*graphs):
        merged = config_pb2.RunMetadata.FunctionGraphs()
        for traced, optimised in graphs:
            merged.pre_optimization_graph.MergeFrom(traced.pre_optimization_graph)
            merged.post_optimization_graph.MergeFrom(optimised.post_optimization_graph)
        return convert.is_of(merged, definition)

    nothing = config_pb2.RunMetadata.FunctionGraphs()
    print(of((own, own)))
    print(of((own, own), (other, other)), of((other, other), (own, own)), of((own, own), (nothing, other)),
          of((own, own), (other, nothing)), of((own, nothing)), of((nothing, own)))

    # The optimiser drops an argument that the graph does not need, or only for its shape.
    for k in (tf.function(lambda x, step: w * x), tf.function(lambda x, y: x * tf.cast(tf.shape(y)[0], tf.float32)),
              tf.function(lambda x, y: (tf.sin(y), w.assign_add(x))[1])):
        pruned = tf.constant(1.), tf.constant([1., 2.])
        concrete = k.get_concrete_function(*pruned)
        own, definition = collected(concrete, *pruned), concrete.function_def
        kept = {node.name for node in own.post_optimization_graph.node if node.op == "_Arg"}
        assert len(kept) == len(definition.signature.input_arg) - 1, kept
        print(of((own, own)), of((own, other)), of((own, own), (other, other)), of((own, own), (nothing, other)), sep="/")
""")


def test_only_the_functions_own_graph_whole_and_alone_is_taken():
    done = subprocess.run([TARGET, "-c", PROGRAM], capture_output=True, text=True, timeout=200,
                          env={**os.environ, "PYTHONPATH": str(SOURCE), "TF_CPP_MIN_LOG_LEVEL": "3"})
    assert done.returncode == 0, done.stderr[-3000:]
    alone, mixed, *with_an_argument_less = done.stdout.splitlines()
    assert alone == "True"
    assert set(mixed.split()) == {"False"}, mixed
    assert with_an_argument_less == ["True/False/False/False"] * 3


@pytest.mark.suite
def test_a_step_that_takes_its_batch_from_functions_of_an_input_pipeline_is_answered(lab):  # noqa: F811
    """They run in the step's first call, and so their operations' graphs are collected with the step's, in several pieces."""
    check_replayed(lab(textwrap.dedent("""
        import numpy as np, tensorflow as tf, keras
        keras.utils.set_random_seed(1)
        x, y = np.ones((8, 4), "float32"), np.arange(8) % 3

        def louder(x, y):
            x = tf.py_function(lambda x: x + tf.cast(tf.shape(x)[0], tf.float32), [x], tf.float32)
            x.set_shape((4,))
            return x, y

        data = tf.data.Dataset.from_tensor_slices((x, y)).map(louder).batch(4)
        model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3), keras.layers.Dense(3)])
        model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
        print(model.fit(data, epochs=3, verbose=0).history, [w.tolist() for w in model.get_weights()])
    """)), at_least=["train_function" if has_keras_2() else "multi_step_on_iterator"])
