"""What watches a trace that is learned stands in TensorFlow through the door alone, whatever happens while it does: ready comes, a
call fails, a module takes a function away with it, somebody else stands there already."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from programs import TARGET

pytestmark = pytest.mark.tensorflow

LEARNS = ("boost", "--explain", "--set", "cache-functions.replay_over_ms=0")
LEFT = """
def left():
    import sys
    from firststep_agent.frameworks.points import READ, all_points
    for point in all_points():
        owner = sys.modules.get(point.module)
        if owner is None or point.how == READ or point.lasts:
            continue
        *steps, name = point.attribute.split(".")
        for step in steps:
            owner = getattr(owner, step, None)
        value = getattr(owner, "__dict__", {}).get(name)
        code = getattr(getattr(value, "__func__", value), "__code__", None)
        if code is not None and (code.co_filename == "<frozen importlib._bootstrap>" or "firststep_agent" in code.co_filename):
            print("left:", point.name)
"""
ON_ANOTHER_THREAD = LEFT + """
import threading
import tensorflow as tf
w, v = tf.Variable([1.0, 2.0]), tf.Variable([3.0])
optimizer = tf.keras.optimizers.SGD(0.1)
inside, done = threading.Event(), threading.Event()

def eager():
    inside.wait()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(v * v)
    optimizer.apply_gradients([(tape.gradient(loss, v), v)])
    done.set()

thread = threading.Thread(target=eager)
thread.start()

def ready():
    inside.set()
    done.wait(60)

@tf.function
def f(x):
    y = tf.reduce_sum((w * x - 1.0) ** 2)
    ready()
    return y

print([float(f(tf.ones([2]))) for _ in range(3)])
thread.join()
if "firststep_agent" in __import__("sys").modules:
    left()
"""
BY_A_MARK = LEFT + """
import sys
import tensorflow as tf
try:
    import firststep
    mark = firststep.mark
except ImportError:
    mark = len
w = tf.Variable([1.0, 2.0])

@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((w * x - 1.0) ** 2)
    mark("go")
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss

print([float(step(tf.ones([2]))) for _ in range(3)])
if "firststep_agent" in sys.modules:
    left()
"""
ERRORS = """
import re, traceback
import tensorflow as tf
tf.debugging.disable_traceback_filtering()
w = tf.Variable([1.0, 2.0])

@tf.function
def operation(x):
    return tf.matmul(x, tf.ones([3, 3]))

@tf.function
def assigns(x):
    w.assign(tf.ones([5]))
    return x

@tf.function(autograph=False)
def assigns_eagerly(x):
    with tf.init_scope():
        w.assign(tf.ones([5]))
    return x

@tf.function(autograph=False)
def reads(x):
    with tf.init_scope():
        tf.constant([1.0]).numpy().item(7)
    return x

class Own(type(w)):
    def assign(self, value):
        raise KeyError("its own")

own = Own([1.0])

@tf.function(autograph=False)
def calls_its_own(x):
    own.assign(1.0)
    return x

for function, x in ((operation, tf.ones([2, 2])), *((one, tf.ones([2])) for one in (assigns, assigns_eagerly, reads, calls_its_own))):
    try:
        function(x)
    except Exception as error:
        print(function.__name__, type(error).__name__)
        for frame in traceback.extract_tb(error.__traceback__):
            print(" ", re.sub("(__autograph_generated_file).*", r"\\1", frame.filename.rpartition("/")[2]), frame.lineno, frame.name)
"""
TAKEN = """
import sys
import tensorflow as tf
from tensorflow.python.framework import op_def_library, ops, random_seed
w = tf.Variable([1.0, 2.0])

@tf.function
def step(x):
    import taking
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((w * x - 1.0) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss

print([float(step(tf.ones([2]))) for _ in range(3)])
import taking
print(taking._apply_op_helper is op_def_library._apply_op_helper, taking.seed is random_seed.get_seed)
print(hasattr(taking._apply_op_helper, "__wrapped__"), hasattr(taking.seed, "__wrapped__"))
"""
TAKING = """
from tensorflow.python.framework.op_def_library import _apply_op_helper
from tensorflow.python.framework.random_seed import get_seed as seed
"""
ANOTHERS = """
import tensorflow as tf
from tensorflow.python.{module} import {owner} as owner
plain = vars(owner)["{name}"]

def theirs(self, *arguments, **keywords):
    return plain(self, *arguments, **keywords)

owner.{name} = theirs
w = tf.Variable([1.0, 2.0])

@tf.function
def step(x):
    return tf.reduce_sum(w * x) + float(tf.get_static_value(tf.constant(2.0)))

print([float(step(tf.ones([2]))) for _ in range(3)])
print(vars(owner)["{name}"] is theirs)
"""
SHUT = """
import tensorflow as tf
w = tf.Variable([1.0, 2.0])

class Shut(type(w)):
    assign = property(lambda self: lambda value: None)

@tf.function
def step(x):
    return tf.reduce_sum(w * x)

print([float(step(tf.ones([2]))) for _ in range(3)])
"""
READS = """
import os
import tensorflow as tf
FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scale.txt")

class Own(tf.keras.optimizers.SGD):
    def update_step(self, gradient, variable, learning_rate):
        with open(FILE) as file:
            scale = float(file.read())
        variable.assign_sub(gradient * scale)

class Scaled:
    def __init__(self, value):
        self.value = value

def converted(value, dtype=None, name=None, as_ref=False):
    with open(FILE) as file:
        return tf.constant(value.value * float(file.read()))

tf.register_tensor_conversion_function(Scaled, converted)
w, optimizer, scaled = tf.Variable([1.0, 2.0]), Own(0.1), Scaled(2.0)
optimizer.build([w])

@tf.function
def applies(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((w * x - 1.0) ** 2)
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])
    return loss

@tf.function
def converts(x):
    return tf.raw_ops.AddV2(x=x, y=scaled)

print([float(applies(tf.ones([2]))) for _ in range(3)], w.numpy().tolist())
print(converts(tf.constant(1.0)).numpy())
"""


@pytest.fixture
def run(tmp_path):
    """run(program, *command): its Ran, plainly or by firststep."""
    environment = {**os.environ, "FIRSTSTEP_CACHE": str(tmp_path / "cache"), "TF_CPP_MIN_LOG_LEVEL": "3",
                   "XDG_STATE_HOME": str(tmp_path / "state")}

    def run(program, *command):
        path = tmp_path / "program.py"
        path.write_text(program)
        by = (sys.executable, "-m", "firststep.cli", *command, "--") if command else ()
        ran = subprocess.run((*by, TARGET, str(path)), env=environment, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        return ran

    return run


def test_ready_on_another_thread_leaves_nothing(run):
    ran = run(ON_ANOTHER_THREAD, *LEARNS)
    assert ran.stdout == run(ON_ANOTHER_THREAD).stdout


def test_ready_within_the_trace_leaves_nothing_and_writes_no_file_of_the_programs(run):
    ran = run(BY_A_MARK, *LEARNS, "--until", "mark:go")
    assert ran.stdout == run(BY_A_MARK).stdout
    assert "refused: `step` tells firststep of a moment, a stretch or a result while it is traced" in ran.stderr
    assert "writes the file" not in ran.stderr


@pytest.mark.skipif(sys.version_info < (3, 11), reason="a bare `raise` puts the frame back")
def test_no_frame_of_ours_is_in_a_traceback(run):
    plain = run(ERRORS)
    assert [plain.stdout.count(name) for name in ("ValueError", "KeyError", "IndexError")] == [3, 1, 1]
    assert run(ERRORS, *LEARNS).stdout == plain.stdout


def test_a_module_that_is_imported_in_the_trace_keeps_nothing(run, tmp_path):
    (tmp_path / "taking.py").write_text(TAKING)
    assert run(TAKEN, *LEARNS).stdout == run(TAKEN).stdout


PLACES = [("framework.ops", "_EagerTensorBase", "_numpy"), ("ops.resource_variable_ops", "BaseResourceVariable", "_read_variable_op"),
          ("ops.resource_variable_ops", "ResourceVariable", "assign_add")]
# What runs while it is traced, and nothing of the program's names, is no part of what an answer would be compared with.
HEARD = {"_read_variable_op": "`theirs` (program.py:6) runs while it is traced, but firststep cannot see how it is reached"}


@pytest.mark.parametrize("place", [PLACES[0], *(pytest.param(place, marks=pytest.mark.suite) for place in PLACES[1:])],
                         ids=lambda place: place[2])
def test_somebody_else_who_stands_there_is_heard_and_stays(run, place):
    program = ANOTHERS.format(**dict(zip(("module", "owner", "name"), place)))
    plain = run(program)
    assert plain.stdout.endswith("True\n")
    ran = run(program, *LEARNS)
    assert ran.stdout == plain.stdout
    assert f"{HEARD.get(place[2], 'learned')} (function step)" in ran.stderr


def test_where_nobody_can_listen_nothing_is_learned(run):
    ran = run(SHUT, *LEARNS)
    assert ran.stdout == run(SHUT).stdout
    assert "BaseResourceVariable.assign, or what a class below has of that name, is none of TensorFlow's functions" in ran.stderr


@pytest.mark.suite
def test_a_file_that_is_read_below_a_place_counts(run, tmp_path):
    """What stands there calls itself by the name of Python's imports, which read files that are no data."""
    scale = Path(tmp_path / "scale.txt")
    scale.write_text("0.5")
    plain = run(READS)
    for _ in range(3):
        assert run(READS, *LEARNS).stdout == plain.stdout
    scale.write_text("0.25")
    ran, changed = run(READS, *LEARNS), run(READS)
    assert ran.stdout == changed.stdout != plain.stdout, ran.stderr
