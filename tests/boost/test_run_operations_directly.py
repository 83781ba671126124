"""Variables that are made, filled and read without a function around each operation are as they are plainly."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from firststep_agent.boost import run_operations_directly

pytestmark = pytest.mark.tensorflow
ONLY = ("--only", "run-operations-directly")
VARIABLES = """
import numpy as np
import tensorflow as tf
from tensorflow.python.eager import context
from tensorflow.python.framework import op_callbacks
from tensorflow.python.ops import gen_resource_variable_ops as operations

made = [tf.Variable(np.ones(number + 1, dtype=kind), name=f"v{number}")
        for number, kind in enumerate(["float32", "float64", "int32", "bool", "uint8", "complex64"] * 3)]
made.append(tf.Variable("text"))
made[0].assign_add([2.5])
for variable in made:
    handle = variable.handle
    print(variable.name, handle.device, handle.backing_device, handle.dtype, variable.numpy(), handle._handle_data)
print(sorted(context.context().list_function_names()))
def also(operation, inputs, attributes, outputs, op_name=None, graph=None):
    if operation == "ReadVariableOp":
        tf.raw_ops.Neg(x=1.0)  # as a check of values would, while the variable is being read

op_callbacks.add_op_callback(also)
made[3].read_value()
made[4].read_value()
op_callbacks.remove_op_callback(also)
with tf.autodiff.ForwardAccumulator(made[7], tf.constant([2.0, 3.0] * 4, tf.float64)) as forward:
    print(forward.jvp(made[7].read_value()).numpy())
print(sorted(context.context().list_function_names()))
empty = operations.var_handle_op(dtype=tf.float32, shape=[2], shared_name=context.anonymous_name(), debug_name="empty")
print(operations.var_is_initialized_op(empty).numpy(), operations.var_is_initialized_op(made[0].handle).numpy())
for attempt in (lambda: operations.assign_variable_op(made[1].handle, tf.constant([1, 2])),
                lambda: operations.read_variable_op(made[0].handle, tf.int32)):
    try:
        print(attempt())
    except tf.errors.OpError as error:
        print(type(error).__name__, error)
"""
THREAD = """
import threading
import tensorflow as tf
tf.Variable(0.0)
stop = threading.Event()
thread = threading.Thread(target=stop.wait)
if WITH_THREAD:
    thread.start()
print([float(tf.Variable(float(number))) for number in range(5)])
stop.set()
"""
PY_FUNCTION = """
import tensorflow as tf
tf.Variable(0.0)
keep = (lambda x: x)
if WITH_FUNCTION:
    print(tf.py_function(keep, [1.0], tf.float32))
print([float(tf.Variable(float(number))) for number in range(5)])
"""
DEVICES = """
import tensorflow as tf
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
with tf.device("/cpu:1"):
    print([tf.Variable(float(number)).device for number in range(3)])
"""
COLLECTED = """
import tensorflow as tf
from tensorflow.python.eager import context
print(tf.Variable(1.0).numpy(), tf.Variable(2.0).numpy())
tf.summary.trace_on(graph=True)
made = [tf.Variable([1.0] * number) for number in (2, 3)]
made[0].assign([4.0, 5.0])
collected = context.context().export_run_metadata()
print([[node.op for node in graph.node] for graph in collected.partition_graphs])
"""
ASYNCHRONOUS = """
import sys
import tensorflow as tf
from tensorflow.python.eager import context, executor
EARLY
print(tf.Variable(1.0).numpy(), tf.Variable(2.0).numpy())
print(next(iter(tf.data.Dataset.range(3))))  # asks for an executor too, and no asynchronous one
none = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=(3,), shared_name="none")
def tell(function, *arguments):
    try:
        print(function(*arguments))
    except Exception as error:
        print(type(error).__name__, error)
def read():
    return tf.raw_ops.ReadVariableOp(resource=none, dtype=tf.float32).numpy()
tell(read)
with context.executor_scope(executor.new_executor(enable_async=True)) as scope:
    tell(read)
    tell(context.context().executor.wait)  # else the next operation meets the error before or after it is queued
    tell(lambda: tf.raw_ops.Reshape(tensor=[1.0, 2.0], shape=[3]).numpy())
    tell(context.context().executor.wait)
"""


def test_variables_devices_functions_and_errors_are_as_plainly(box, tensorflow_python):
    box.write("program.py", VARIABLES)
    plain = box.plain("program.py", python=tensorflow_python)
    boosted = box.boost("program.py", options=ONLY, python=tensorflow_python)
    assert boosted.out == plain.out and "InvalidArgumentError" in plain.out, plain.said
    assert boosted.live("run-operations-directly"), boosted.said


@pytest.mark.parametrize(("program", "word"), [(THREAD, "WITH_THREAD"), (PY_FUNCTION, "WITH_FUNCTION")])
def test_is_left_alone_while_something_else_could_run_an_operation(box, tensorflow_python, program, word):
    for present in (False, True):
        box.write("program.py", program.replace(word, str(present)))
        boosted = box.boost("program.py", options=ONLY, python=tensorflow_python)
        assert boosted.out == box.plain("program.py", python=tensorflow_python).out
        assert boosted.live("run-operations-directly") is not present, boosted.said


def test_graphs_that_the_program_collects_are_those_of_all_that_runs(box, tensorflow_python):
    box.write("program.py", COLLECTED)
    boosted = box.boost("program.py", options=ONLY, python=tensorflow_python)
    assert boosted.out == box.plain("program.py", python=tensorflow_python).out and "AssignVariableOp" in boosted.out
    assert boosted.live("run-operations-directly"), boosted.said


@pytest.mark.parametrize("early", ["", "tf.config.experimental.set_synchronous_execution(False)"])
def test_errors_of_asynchronous_operations_are_as_plainly(box, tensorflow_python, early):
    """They name the function that failed, and the frames that began it."""
    box.write("program.py", ASYNCHRONOUS.replace("EARLY", early))
    boosted = box.boost("program.py", options=ONLY, python=tensorflow_python)
    plain = box.plain("program.py", python=tensorflow_python)
    assert boosted.out == plain.out and "__wrapped__ReadVariableOp" in plain.out, plain.said
    assert "operations run asynchronously" in boosted.said


def test_other_devices_are_refused(box, tensorflow_python):
    box.write("program.py", DEVICES)
    boosted = box.boost("program.py", options=ONLY, python=tensorflow_python)
    assert boosted.out == box.plain("program.py", python=tensorflow_python).out
    assert "CPU, CPU" in boosted.said and not boosted.live("run-operations-directly")


SMALL_TOO = ("--set", "cache-functions.replay_over_ms=0")  # on a fast machine it is no more than that
FIT = """
import keras, numpy as np
keras.utils.set_random_seed(0)
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3), keras.layers.Dense(1)])
model.compile("adam", "mse")
print(model.fit(np.ones((8, 4)), np.ones((8, 1)), batch_size=4, verbose=0).history)
"""


@pytest.mark.suite
def test_functions_learned_with_it_answer_without_it(box, tensorflow_python):
    box.write("program.py", FIT)
    learning = box.boost("program.py", options=SMALL_TOO, python=tensorflow_python)
    without = box.boost("program.py", options=(*SMALL_TOO, "--without", "run-operations-directly"), python=tensorflow_python)
    assert learning.live("run-operations-directly"), learning.said
    assert without.live("cache-functions"), without.said
    assert learning.out == without.out == box.plain("program.py", python=tensorflow_python).out


def test_a_context_that_cannot_be_asked_is_given_up_with_a_note():
    class Asked:
        @property
        def _context_handle(self):
            raise RuntimeError("not here")

    class Noting:
        said: list = []  # noqa: RUF012

        def note(self, _remedy, what, **more):
            self.said.append((what, more["reason"]))

    context = run_operations_directly._Context(Noting())
    assert context.handle(Asked()) is None
    assert context.handle(Asked()) is None
    assert Noting.said == [("error", "RuntimeError: not here")]


def test_a_signal_as_soon_as_the_switch_is_thrown_leaves_it_as_it_was(monkeypatch):
    """Python runs its handler, which raises, before the operation."""
    thrown = []

    def switch(_handle, on):
        thrown.append(on)
        if not on:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "tensorflow.python.pywrap_tfe", SimpleNamespace(TFE_ContextSetRunEagerOpAsFunction=switch))
    monkeypatch.setattr(run_operations_directly._Context, "handle", lambda _self, _context: "a handle")
    execute = run_operations_directly._directly(SimpleNamespace(tally=lambda *_: [0]), lambda *_: "done")
    assert execute(None, "ReadVariableOp") == "done"  # the first of a kind runs plainly
    with pytest.raises(KeyboardInterrupt):
        execute(None, "ReadVariableOp")
    assert thrown == [False, True]
