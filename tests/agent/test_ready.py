"""Ready is found by itself: what ends a step in every way of training and predicting, and what does not."""

import textwrap

import pytest
from programs import TARGET

from firststep.launch.session import Session
from firststep.model.plan import OBSERVE_READY, Plan, Until
from firststep.model.read_trace import parse_trace

FIRST_STEP = Until()
pytestmark = pytest.mark.tensorflow

MODEL = """
import numpy as np, tensorflow as tf
from tensorflow import keras
x, y = np.ones((12, 4), "float32"), np.ones((12, 1), "float32")
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
optimizer = keras.optimizers.SGD(0.01)
def gradients(of=model):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((of(x) - y) ** 2)
    return tape.gradient(loss, of.trainable_variables), of.trainable_variables
"""

# name -> (program, kind of ready, its label, training steps)
STRATEGY = """
import tensorflow as tf
tf.config.set_logical_device_configuration(tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * 2)
strategy = tf.distribute.MirroredStrategy(tf.config.list_logical_devices('CPU'))
with strategy.scope():
    w = tf.Variable(1.0)
def replica(x):
    with tf.GradientTape() as tape:
        loss = (w * x - 2.0) ** 2
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss
"""
PROGRAMS = {
    "fit after trials of the untrained model": (MODEL + """
model(x); model(x); model.predict(x, verbose=0)
model.compile("sgd", "mse")
model.fit(x, y, batch_size=4, verbose=0)
""", "train", "fit", 3),
    "fit with several steps per execution": (MODEL + """
model.compile("sgd", "mse", steps_per_execution=2)
model.fit(x, y, batch_size=3, verbose=0)
""", "train", "fit", 2),
    "fit, eagerly, with validation": (MODEL + """
model.compile("sgd", "mse", run_eagerly=True)
model.fit(x, y, batch_size=4, verbose=0, validation_data=(x, y), epochs=2)
""", "train", "fit", 6),
    "fit in a thread": (MODEL + """
import threading
model.compile("sgd", "mse")
thread = threading.Thread(target=lambda: model.fit(x, y, batch_size=4, verbose=0))
thread.start(); thread.join()
""", "train", "fit", 3),
    "fit with a step of one's own": (MODEL + """
class Own(keras.Model):
    def train_step(self, data):
        pairs = zip(*gradients())
        self.optimizer.apply_gradients(pairs); return {"loss": 0.0}
    def call(self, inputs):
        return model(inputs)
own = Own()
own.compile("sgd", "mse")
own.fit(x, y, batch_size=4, verbose=0)
""", "train", "fit", 3),
    "train_on_batch": (MODEL + """
model.compile("sgd", "mse")
for _ in range(3):
    model.train_on_batch(x, y)
""", "train", "train_on_batch", 3),
    "an eager loop": (MODEL + """
for _ in range(3):
    optimizer.apply_gradients(zip(*gradients()))
""", "train", "apply_gradients", 3),
    "an eager loop of two optimizers that take turns": (MODEL + """
other = keras.optimizers.SGD(0.1)
critic = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
for _ in range(3):
    optimizer.apply_gradients(zip(*gradients()))
    other.apply_gradients(zip(*gradients(critic)))
""", "train", "apply_gradients", 3),
    "a function": (MODEL + """
@tf.function
def step():
    optimizer.apply_gradients(zip(*gradients()))
@tf.function
def evaluate():
    return model(x)
for _ in range(3):
    step(); evaluate()
""", "train", "step", 3),
    "a function that holds a whole epoch": (MODEL + """
@tf.function
def step(batch):
    optimizer.apply_gradients(zip(*gradients()))
@tf.function
def epoch(batches):
    for batch in batches:
        step(batch)
for _ in range(2):
    epoch(tf.data.Dataset.from_tensor_slices(x).batch(4))
""", "train", "epoch", 2),
    "a concrete function": (MODEL + """
@tf.function
def step():
    optimizer.apply_gradients(zip(*gradients()))
    return tf.constant(0)
optimizer.build(model.trainable_variables)
concrete = step.get_concrete_function()
for _ in range(3):
    concrete()
""", "train", "__inference_step", 3),
    "a function that runs eagerly": (MODEL + """
tf.config.run_functions_eagerly(True)
@tf.function
def step():
    optimizer.apply_gradients(zip(*gradients()))
for _ in range(3):
    step()
""", "train", "apply_gradients", 3),
    "assignments without an optimizer": (MODEL + """
for _ in range(3):
    for gradient, variable in zip(*gradients()):
        variable.assign_sub(0.1 * gradient)
""", "train", "assign", 3),
    "assignments in the replicas of a strategy": (STRATEGY + """
@tf.function
def step(x):
    return strategy.run(replica, (x,))
for _ in range(3):
    step(tf.constant(1.0))
""", "train", "step", 3),
    "assignments in the replicas of a strategy, eagerly": (STRATEGY + """
for _ in range(3):
    strategy.run(replica, (tf.constant(1.0),))
""", "train", "assign", 3),
    "an optimizer in the replicas of a strategy": (STRATEGY + """
with strategy.scope():
    optimizer = tf.keras.optimizers.SGD(0.1)
    optimizer.build([w])
def updated(x):
    with tf.GradientTape() as tape:
        loss = (w * x - 2.0) ** 2
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])
@tf.function
def step(x):
    strategy.run(updated, (x,))
for _ in range(3):
    step(tf.constant(1.0))
""", "train", "step", 3),
    "assignments in the one replica of a worker": (STRATEGY.replace("MirroredStrategy(tf.config.list_logical_devices('CPU'))",
                                                                    "MultiWorkerMirroredStrategy()") + """
@tf.function
def step(x):
    return strategy.reduce("mean", strategy.run(replica, (x,)), axis=None)
for _ in range(3):
    step(tf.constant(1.0))
""", "train", "step", 3),
    "assignments without an optimizer, in a function": (MODEL + """
w = tf.Variable([[1.0]])
@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w * w)
    w.assign_sub(0.1 * tape.gradient(loss, w))
for _ in range(3):
    step()
""", "train", "step", 3),
    "assignments to rows, and to parts": (MODEL + """
rows = [tf.Variable(tf.ones((4, 2))) for _ in range(4)]
part, some = tf.Variable(tf.ones(4)), tf.constant([1, 2])
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.add_n([tf.reduce_sum(tf.gather(one, some)) for one in rows]) + tf.reduce_sum(part[1:3])
    taken = [tf.IndexedSlices(0.1 * one.values, one.indices) for one in tape.gradient(loss, rows)]
    rows[0].scatter_sub(taken[0])
    rows[1].scatter_add(taken[1])
    rows[2].scatter_nd_sub(taken[2].indices[:, None], taken[2].values)
    rows[3].scatter_update(taken[3])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(part[1:3] * part[1:3])
part[1:3].assign(part[1:3] - 0.1 * tape.gradient(loss, part)[1:3])
""", "train", "assign", 4),
    "assignments to rows, in a function": (MODEL + """
rows = [tf.Variable(tf.ones((4, 2))) for _ in range(2)]
@tf.function
def step(some):
    with tf.GradientTape() as tape:
        loss = tf.add_n([tf.reduce_sum(tf.gather(one, some)) for one in rows])
    for one, taken in zip(rows, tape.gradient(loss, rows)):
        one.scatter_sub(tf.IndexedSlices(0.1 * taken.values, taken.indices))
    return loss
for _ in range(3):
    step(tf.constant([1, 2]))
""", "train", "step", 3),
    "a session": ("""
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
x = tf.placeholder(tf.float32, [None])
w = tf.get_variable("w", [], initializer=tf.ones_initializer())
loss = tf.reduce_mean((w * x - 2.0) ** 2)
train = tf.train.AdamOptimizer(0.1).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(loss, {x: [1.0]})
    for _ in range(3):
        session.run({"do": [train], "loss": loss}, feed_dict={x: [1.0]})
""", "train", "Session.run", 3),
    "a session that only predicts": ("""
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
x = tf.placeholder(tf.float32, [None])
w = tf.get_variable("w", [], initializer=tf.ones_initializer())
y = w * x
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(w)
    session.run(y, {x: [1.0]})
""", "predict", "Session.run", 0),
    "predict": (MODEL.partition("def gradients")[0] + "model.predict(x, verbose=0)", "predict", "predict", 0),
    "a model called again and again": ("""
import numpy as np, tensorflow as tf
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
for _ in range(3):
    model(np.ones((2, 4), "float32"))
""", "predict", "sequential", 0),
    "a function around a model, called again and again": ("""
import numpy as np, tensorflow as tf
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
infer = tf.function(lambda x: tf.sigmoid(model(x)))
for _ in range(3):
    infer(np.ones((2, 4), "float32"))
""", "predict", "<lambda>", 0),
    "a served signature": ("""
import tensorflow as tf, tempfile
class Served(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([None])])
    def serve(self, x):
        return x * 2.0
folder = tempfile.mkdtemp()
tf.saved_model.save(Served(), folder)
tf.saved_model.load(folder).signatures["serving_default"](tf.constant([1.0]))
""", "predict", "__inference_signature_wrapper", 0),
    "a restored function": ("""
import tensorflow as tf, tempfile
class Served(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([None])])
    def serve(self, x):
        return x * 2.0
folder = tempfile.mkdtemp()
tf.saved_model.save(Served(), folder)
tf.saved_model.load(folder).serve(tf.constant([1.0]))
""", "predict", "restored_function", 0),
    "an optimizer, but only a prediction": (MODEL + "model.predict(x, verbose=0)", "predict", "predict", 0),
}


def outcome(program, tmp_path, until=FIRST_STEP, watch_steps=20, observe=OBSERVE_READY):
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(program))
    plan = Plan(until=until, observe=observe, watch_steps=watch_steps)
    ended = Session([TARGET, str(path)], plan, timeout_s=120).run()
    assert ended.exit_code == 0
    process = parse_trace(ended.trace).processes[0]
    assert not process.errors
    return process


RARE = ("fit in a thread", "a function that holds a whole epoch", "fit after trials of the untrained model",
        "assignments without an optimizer, in a function", "assignments to rows, in a function", "fit with several steps per execution",
        "an eager loop of two optimizers that take turns")


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.suite] * (name in RARE)) for name in PROGRAMS])
def test_ready(name, tmp_path):
    program, kind, label, steps = PROGRAMS[name]
    process = outcome(program, tmp_path)
    assert process.ready is not None
    assert (process.ready.kind, process.ready.label.startswith(label)) == (kind, True), process.ready
    assert sum(step.kind == "train" for step in process.steps) == steps


def test_ready_at_a_later_step(tmp_path):
    process = outcome(PROGRAMS["an eager loop"][0], tmp_path, until=Until("step", 2), watch_steps=0)
    assert (process.ready.kind, process.ready.label) == ("train", "apply_gradients")
    assert process.end[1] == "exit"
    assert process.ready.at > process.steps[0].at


def test_a_program_that_ends_before_the_step_that_was_asked_for_says_how_many_it_made(tmp_path):
    process = outcome(PROGRAMS["an eager loop"][0], tmp_path, until=Until("step", 50), watch_steps=0)
    assert process.ready is None
    assert process.counters["training_steps"] == 3


def test_ready_at_a_mark(tmp_path):
    """As firststep.mark does it, which the program need not have."""
    process = outcome("""
        import sys
        agent = sys.modules["firststep_agent.run"]
        agent.active().mark("loading")
        agent.active().mark("loaded")
    """, tmp_path, until=Until("mark", "loaded"))
    assert (process.ready.kind, process.ready.label) == ("mark", "loaded")
    assert [mark.name for mark in process.marks] == ["loading", "loaded"]


def test_nothing_is_left_in_the_program_after_ready(tmp_path):
    """Every function that was replaced is the framework's own again."""
    process = outcome(PROGRAMS["a function"][0] + """
import sys
from firststep_agent.frameworks.points import all_points
def left():
    for point in all_points():
        owner = sys.modules.get(point.module)
        for name in point.attribute.split(".")[:-1]:
            owner = getattr(owner, name, None)
        found = getattr(owner, "__dict__", {}).get(point.attribute.split(".")[-1])
        code = getattr(found, "__code__", None)
        if hasattr(found, "__wrapped__") and code is not None and code.co_filename.startswith("<frozen"):
            yield point.attribute
assert not list(left()), list(left())
import os, firststep_agent
ours = os.path.dirname(firststep_agent.__file__)
assert not sys.modules["tensorflow"].Variable.assign_sub.__code__.co_filename.startswith(ours)
""", tmp_path, observe=("processes", "steps", "frameworks", "network"), watch_steps=0)
    assert process.ready.kind == "train"
