"""What is seen of TensorFlow and Keras: spans with the right labels, the reason of each trace, and no trace of us."""

import json
import textwrap

import pytest
from programs import TARGET, has_keras_2

from firststep.launch.session import Session
from firststep.model.plan import Plan, Until
from firststep.model.read_trace import parse_trace

FIRST_STEP = Until()
OBSERVE = ("processes", "steps", "frameworks", "framework-log", "network")
KERAS = """
import numpy as np, tensorflow as tf
from tensorflow import keras
x, y = np.ones((12, 4), "float32"), np.ones((12, 1), "float32")
"""


def record(program, tmp_path, until=FIRST_STEP):
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(program))
    ended = Session([TARGET, str(path)], Plan(until=until, observe=OBSERVE), timeout_s=120).run()
    process = parse_trace(ended.trace).processes[0]
    assert (ended.exit_code, process.errors) == (0, ())
    missing = [line for line in ended.trace.splitlines() if line.startswith('["missing"')]
    return process, [json.loads(line)[1:] for line in missing]


def of_kind(process, kind):
    return [span for span in process.spans if span.kind == kind]


@pytest.mark.tensorflow
def test_a_keras_program(tmp_path):
    process, missing = record(KERAS + """
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, name="wide"), keras.layers.Dense(1)])
model.compile("adam", "mse", steps_per_execution=3)
model.fit(x, y, batch_size=4, verbose=0)
""", tmp_path)
    assert missing == []
    assert [span.labels["steps_per_execution"] for span in of_kind(process, "model-compile")] == [3]
    kinds = {span.kind for span in process.spans}
    assert kinds >= {"device-discovery", "runtime-init", "model-build", "model-compile", "variable", "initialiser",
                     "optimizer-build", "fit", "data-pipeline", "data-function", "data-iterator", "trace", "gradients",
                     "function-register", "first-call", "graph-optimise", "first-execution"}
    kernels = [span for span in of_kind(process, "variable") if span.labels.get("shape") == [4, 8]]
    assert kernels and kernels[0].labels["bytes"] == 4 * 8 * 4
    assert any(span.labels["initialiser"] == "GlorotUniform" or span.name == "GlorotUniform"
               for span in of_kind(process, "initialiser"))
    assert len(of_kind(process, "runtime-init")) == 1


@pytest.mark.tensorflow
def test_initial_values_in_a_trace_are_symbols_until_they_are_lifted_out_of_it(tmp_path):
    process, _ = record("""
import tensorflow as tf
class Net(tf.Module):
    w = None
    @tf.function
    def step(self, x):
        if self.w is None:
            self.w = tf.Variable(lambda: tf.keras.initializers.GlorotUniform()((30, 20)))
        return x @ self.w
net = Net()
net.step(tf.ones((2, 30)))
tf.keras.initializers.Zeros()((5,))
""", tmp_path)
    told = [(span.name, span.labels.get("symbolic"), span.labels.get("variables"), span.labels["bytes"])
            for span in of_kind(process, "initialiser")]
    assert told == [("GlorotUniform", True, None, 2400), ("initialisers lifted out of a function", None, 1, 2400),
                    ("Zeros", None, None, 20)]


@pytest.mark.tensorflow
def test_values_given_to_variables_are_seen_and_those_of_a_step_are_not(tmp_path):
    process, _ = record(KERAS + """
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(500), keras.layers.BatchNormalization(), keras.layers.Dense(1)])
for variable in model.variables:
    variable.assign(np.ones(variable.shape))
model.layers[0].set_weights([np.ones((4, 500), "float32"), np.ones(500, "float32")])
field = tf.Variable(tf.ones((40, 50)))
for _ in range(20):
    field.assign(field * 0.9)
small = tf.Variable([1.0, 2.0])
small.assign([3.0, 4.0])
rate = tf.Variable(0.1)
rate.assign(0.2)  # a number by itself: a rate, a counter
average = tf.Variable(tf.ones((40, 50)))
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(model(x, training=True))
    average.assign(average * 0.9)
model.compile(keras.optimizers.SGD(momentum=0.9), "mse", run_eagerly=True)
model.fit(x, y, verbose=0)
""", tmp_path)
    model = "" if has_keras_2() else "sequential/"
    told = [(span.name, span.labels["bytes"]) for span in sorted(of_kind(process, "weights-set"), key=lambda span: span.start)]
    norm = [(f"{model}batch_normalization/{name}:0", 2000) for name in ("gamma", "beta", "moving_mean", "moving_variance")]
    assert told == [(f"{model}dense/kernel:0", 8000), (f"{model}dense/bias:0", 2000), *norm, (f"{model}dense_1/kernel:0", 2000),
                    (f"{model}dense_1/bias:0", 4), ("dense", 10000), ("Variable:0", 8000), ("Variable:0", 8)]  # each the first time
    numbers = {span.labels["variable"] for span in of_kind(process, "weights-set") if "variable" in span.labels}
    assert numbers <= {span.labels.get("variable") for span in of_kind(process, "variable")} and len(numbers) == len(told) - 1


@pytest.mark.tensorflow
def test_what_decides_how_gpus_are_used(tmp_path, monkeypatch):
    """As it was when the program was ready, whoever set it."""
    for name in ("CUDA_VISIBLE_DEVICES", "CUDA_MODULE_LOADING", "CUDA_CACHE_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CUDA_CACHE_DISABLE", "1")
    process, _ = record("""
        import os
        os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"
        import tensorflow as tf
    """, tmp_path, Until("exit"))
    assert process.gpu["environment"] == {"CUDA_CACHE_DISABLE": "1", "TF_FORCE_GPU_ALLOW_GROWTH": "true"}
    assert type(process.gpu["build"]["is_cuda_build"]) is bool
    assert record("pass", tmp_path, Until("exit"))[0].gpu == {}


@pytest.mark.tensorflow
def test_traces_agree_with_tensorflows_own_counter(tmp_path):
    process, _ = record(KERAS + """
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, batch_size=4, verbose=0)
""", tmp_path)
    traces = sorted(of_kind(process, "trace"), key=lambda span: (span.start, -span.end))
    total, covered = 0, 0
    for span in traces:
        if span.start >= covered:
            total, covered = total + span.end - span.start, span.end
    counted = process.counters["tensorflow-graph-building-us"] * 1000
    assert 0.9 < total / counted <= 1.0


@pytest.mark.tensorflow
def test_why_a_function_was_traced_again(tmp_path):
    process, _ = record("""
        import tensorflow as tf

        @tf.function
        def grow(x, times):
            return x * times

        grow(tf.ones([8, 4]), 2)
        grow(tf.ones([3, 4]), 2)
        grow(tf.ones([3, 4]), 3)
        grow(tf.ones([3, 4], tf.float64), 3)
        for _ in range(2):
            @tf.function
            def made(x):
                return x + 1
            made(1.0)
    """, tmp_path, until=Until("exit"))
    traces = of_kind(process, "trace")
    assert [span.labels["why"] for span in traces if span.name == "grow"] == [
        "first trace", "x: shape (8, 4) -> (3, 4)", "times: Python value 2 -> 3", "x: dtype float32 -> float64"]
    assert [span.labels["trace"] for span in traces if span.name == "grow"] == [1, 2, 3, 4]
    assert [span.labels["why"] for span in traces if span.name == "made"] == [
        "first trace", "new function with the same code (made in a loop)"]
    assert {span.labels["source"].rpartition("/")[2] for span in traces} == {"program.py:4", "program.py:13"}


@pytest.mark.tensorflow
def test_traces_under_a_strategy_say_for_how_many_replicas(tmp_path):
    process, _ = record("""
        import tensorflow as tf
        (cpu,) = tf.config.list_physical_devices("CPU")
        tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
        @tf.function
        def plain(x):
            return x + 1
        plain(1.0)
        strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
        @tf.function
        def step(x):
            return strategy.run(lambda x: x + 1, args=(x,))
        step(tf.constant(1.0))
        with strategy.scope():
            step(tf.constant(1))
        print(iter(tf.data.Dataset.range(3)).get_next_as_optional().has_value())
    """, tmp_path, until=Until("exit"))
    assert len(of_kind(process, "data-first-element")) == 1  # asked for as a distributed iterator asks
    assert [(span.name, span.labels.get("replicas")) for span in of_kind(process, "trace")] == [("plain", None), ("step", 2), ("step", 2)]


@pytest.mark.tensorflow
def test_a_saved_model_is_loaded_and_served(tmp_path):
    process, _ = record("""
        import tensorflow as tf, tempfile
        class Served(tf.Module):
            def __init__(self):
                self.weight = tf.Variable(tf.ones([64, 64]))
            @tf.function(input_signature=[tf.TensorSpec([None, 64])])
            def serve(self, x):
                return x @ self.weight
        folder = tempfile.mkdtemp()
        tf.saved_model.save(Served(), folder)
        tf.saved_model.load(folder).signatures["serving_default"](tf.ones([1, 64]))
    """, tmp_path)
    (load,) = of_kind(process, "model-load")
    assert load.labels["format"] == "saved_model" and load.labels["bytes"] > 64 * 64 * 4
    assert load.labels["line"].endswith("program.py:11")  # however short it is
    assert of_kind(process, "checkpoint") and of_kind(process, "graph-import")
    assert "signature_wrapper" in of_kind(process, "first-call")[-1].name


@pytest.mark.tensorflow
def test_a_graph_and_its_session(tmp_path):
    process, _ = record("""
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()
        w = tf.get_variable("w", [3], initializer=tf.ones_initializer())
        train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(w * w))
        for _ in range(2):
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                session.run(train)
    """, tmp_path, until=Until("exit"))
    sessions = of_kind(process, "session-create")
    assert len(sessions) == 2
    assert sessions[0].labels["nodes"] < sessions[1].labels["nodes"]
    assert [span.name for span in of_kind(process, "session-run-first")][:2] == ["init", "GradientDescent"]


@pytest.mark.tensorflow
def test_the_run_that_makes_a_session_ready_is_divided_before_the_report_is_made(tmp_path):
    """It goes on for a moment, and the report at ready has what was recorded until then: all of its parts, each once."""
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent("""
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()
        w = tf.get_variable("w", [3], initializer=tf.ones_initializer())
        train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(w * w))
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(train)
    """))
    trace = Session([TARGET, str(path)], Plan(observe=OBSERVE), timeout_s=120).run().trace
    seen = trace[:trace.index('["end"')]
    assert [kind for kind in ("graph-optimise", "first-execution") if f'["s","{kind}","GradientDescent"' in seen] == [
        "graph-optimise", "first-execution"]
    assert trace.count('["s","first-execution","GradientDescent"') == 1


@pytest.mark.tensorflow
def test_only_the_first_call_of_a_model_is_its_first_execution(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent("""
        import keras, numpy
        for name in ("first", "second"):
            model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(2)], name=name)
            for size in (1, 1, 3):
                model(numpy.ones((size, 4), "float32"))
    """))
    ended = Session([TARGET, str(path)], Plan(until=Until("exit"), observe=OBSERVE), timeout_s=120).run()
    (process,) = parse_trace(ended.trace).processes
    assert [span.name for span in of_kind(process, "first-execution")] == ["first", "second"]


@pytest.mark.tensorflow
def test_the_programs_own_output_is_as_without_us(tmp_path):
    """Tracebacks of a failing call, warnings with a stack level, and conversions by AutoGraph."""
    program = """
        import tensorflow as tf, warnings, traceback, sys
        @tf.function
        def choose(x):
            if tf.reduce_sum(x) > 0:
                return tf.constant("positive")
            return tf.constant("negative")
        print(choose(tf.constant([-1.0])).numpy())
        model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
        try:
            model.fit(None)
        except Exception as error:
            files = [line.filename for line in traceback.extract_tb(error.__traceback__)]
            print(len(files), [file for file in files if "firststep" in file])
            print(sys.version_info < (3, 11) or not [file for file in files if "frozen" in file])
        print(tf.keras.Model.fit.__module__, tf.function(choose.python_function)(tf.constant([1.0])).numpy())
    """
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(program))
    import subprocess

    with open(tmp_path / "out", "wb") as out:
        plain = subprocess.run([TARGET, str(path)], stdout=subprocess.PIPE, check=True).stdout
        Session([TARGET, str(path)], Plan(observe=OBSERVE), stdout=out.fileno(), timeout_s=120).run()
    assert (tmp_path / "out").read_bytes() == plain
    assert b"True" in plain


@pytest.mark.tensorflow
def test_a_trace_tells_whether_it_holds_what_autograph_makes_and_a_saved_model_what_is_rebuilt(tmp_path):
    process, _ = record("""
        import tensorflow as tf
        @tf.function
        def plain(x):
            for _ in range(2):
                x = x + 1
            return x
        @tf.function
        def needs(x):
            if tf.reduce_all(x > 0):
                x = x + 1
            return x
        @tf.function
        def negates(x):
            return not tf.reduce_all(x > 0)
        class Saved(tf.Module):
            @tf.function(input_signature=[tf.TensorSpec([3])])
            def __call__(self, x):
                return plain(x)
        one = tf.ones(3)
        plain(one), needs(one), negates(one)
        tf.saved_model.save(Saved(), "saved")
        tf.saved_model.load("saved")(one)
        """, tmp_path)
    told = {span.name: span.labels["autograph"] for span in of_kind(process, "trace")}
    assert (told["plain"], told["needs"], told["negates"]) == (False, True, True)
    (rows,) = [span.labels["rebuilt"] for span in of_kind(process, "graph-import") if "rebuilt" in span.labels]
    called = {name.rpartition("_")[0]: [each.rpartition("_")[0] for each in calls] for name, _, _, calls in rows}
    assert called["__inference_signature_wrapper"] == ["__inference___call__"]
    assert {"__inference__traced_save", "__inference__traced_restore"} <= set(called)


def test_waits_for_the_network_are_seen_by_peer(tmp_path):
    process, _ = record("""
        import socket, threading, time
        server = socket.create_server(("127.0.0.1", 0))
        def answer():
            connection, _ = server.accept()
            time.sleep(0.05)
            connection.sendall(b"x")
        threading.Thread(target=answer).start()
        client = socket.create_connection(server.getsockname())
        client.recv(1)
        print(server.getsockname()[1])
    """, tmp_path)
    (wait,) = [span for span in of_kind(process, "network") if span.labels["what"] == "receive"]
    assert wait.labels["peer"].startswith("127.0.0.1:")
    assert wait.end - wait.start > 40e6


@pytest.mark.tensorflow
def test_every_session_has_a_first_run(tmp_path):
    """Also where the graph does not grow, and a session has the address of one that is gone."""
    process, _ = record("""
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()
        value = tf.constant(1.0) + 1.0
        for _ in range(5):
            with tf.Session() as session:
                session.run(value)
                session.run(value)
            del session
    """, tmp_path, until=Until("exit"))
    assert len(of_kind(process, "session-create")) == 5
    assert len(of_kind(process, "session-run-first")) == 5
    assert len(of_kind(process, "session-run")) == 5
