"""What the observer `results` finds in real programs, and that it tells two computations apart."""

import sys
import textwrap

import pytest

from firststep.launch.session import Session
from firststep.model.plan import Plan
from firststep.model.read_trace import parse_trace
from firststep.prove.plans import PROBE

PYTHON_ONLY = """
    import random
    random.seed(1)
    random.random()
"""
KERAS = """
    import numpy as np
    import keras

    def main():
        keras.utils.set_random_seed(1)
        model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3), keras.layers.Dense(1)])
        model.compile("adam", "mse")
        x = np.arange(128, dtype="float32").reshape(32, 4)
        model.fit(x, x[:, :1], batch_size=8, epochs=2, verbose=0)

    main()
"""
LOOP = """
    import tensorflow as tf
    w = tf.Variable(2.0, name="w")

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = (w * x - 1.0) ** 2
        w.assign_sub(0.1 * tape.gradient(loss, w))
        return loss

    for x in (1.0, 2.0, 3.0):
        step(tf.constant(x))
"""
SESSION = """
    import tensorflow.compat.v1 as tf
    tf.disable_v2_behavior()
    w = tf.get_variable("w", initializer=2.0)
    loss = (w - 1.0) ** 2
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            session.run([train, loss])
"""


@pytest.fixture
def results(tmp_path, target):
    """The result records of a program, by (what, name); the plan's own errors fail the test."""

    def run(text):
        path = tmp_path / "program.py"
        path.write_text(textwrap.dedent(text))
        outcome = Session([target, str(path)], Plan(observe=PROBE, watch_steps=20), stderr=sys.stderr.fileno()).run()
        assert outcome.exit_code == 0
        [process] = parse_trace(outcome.trace).processes
        assert not process.errors
        return {(record["what"], record["name"]): record for record in process.results}

    return run


def test_a_program_without_a_framework(results):
    found = results(PYTHON_ONLY)
    assert set(found) == {("stream", "Python"), ("memory", "peak"), ("cost", "digests")}
    assert found[("stream", "Python")]["digest"] == results(PYTHON_ONLY)[("stream", "Python")]["digest"]
    more = results(PYTHON_ONLY + "    random.random()\n")
    assert found[("stream", "Python")]["digest"] != more[("stream", "Python")]["digest"]


def test_a_forked_child_has_results_of_its_own(tmp_path, target):
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent("""
        import os, random, sys
        results = sys.modules["firststep_agent.observe.results.named"]
        results.result("before", 1)
        if os.fork() == 0:
            results.result("inside", 2)
            os._exit(0)
        os.wait()
    """))
    trace = parse_trace(Session([target, str(path)], Plan(observe=PROBE, watch_steps=20)).run().trace)
    found = [{record["name"] for record in process.results} for process in trace.processes]
    assert found == [{"peak", "before", "Python", "digests"}, {"peak", "inside", "digests"}]


@pytest.mark.tensorflow
def test_a_model_that_is_local_to_a_function(results):
    found = results(KERAS)
    history = found[("history", "fit")]
    assert history["count"] == 2
    assert history["values"][0][1]["loss"] > 0
    names = [name for name, _, _ in found[("weights", "variables")]["values"]]
    assert any("kernel" in name for name in names)
    assert ("stream", "NumPy") in found


@pytest.mark.tensorflow
def test_one_step_more_or_less_is_another_result(results):
    found = results(LOOP)
    assert found[("outputs", "step")]["count"] == 3
    assert found[("weights", "variables")]["values"][0][:2] == ["w:0", "float32()"]
    other = results(LOOP.replace("(1.0, 2.0, 3.0)", "(1.0, 2.0, 3.0, 1.0)"))
    for key in (("outputs", "step"), ("weights", "variables")):
        assert found[key]["digest"] != other[key]["digest"]


@pytest.mark.tensorflow
def test_what_a_session_returns(results):
    found = results(SESSION)
    assert found[("outputs", "Session")]["count"] == 4
    assert ("weights", "variables") not in found
