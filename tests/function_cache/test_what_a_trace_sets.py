"""Attributes that are set while a function is traced, on the program's objects too: a replay leaves them as the trace would."""

import pytest
from programs import has_keras_2
from replay_harness import check_replayed, check_same, lab  # noqa: F401

pytestmark = [pytest.mark.tensorflow]

KEEPS = """
import tensorflow as tf


class Attention(tf.Module):
    def __init__(self):
        self.w = tf.Variable(tf.ones((4, 4)))
        self.last = self.first = None
        self.traces = 0

    def __call__(self, x):
        self.traces += 1
        self.scores = tf.nn.softmax(tf.matmul(x, self.w), name="scores")
        self.last = self.scores
        self.mean = tf.reduce_mean(self.scores)
        self.given = x
        return self.scores * 2.0


class Outer(tf.Module):
    def __init__(self):
        self.attention = Attention()

    @tf.function
    def step(self, x):
        y = self.attention(x)
        self.seen = self.attention.last
        Outer.calls = getattr(Outer, "calls", 0) + 1
        return y


def shown(value):
    return type(value).__name__, repr(value), value.dtype, value.shape


outer = Outer()
outer.attention.last = tf.constant(3.0)
for x in (tf.ones((2, 4)), tf.ones((2, 4)), tf.ones((3, 4)), tf.zeros((2, 4))):
    print(float(tf.reduce_sum(outer.step(x))).hex(), outer.attention.traces, Outer.calls)
    kept = outer.attention
    print(*map(shown, (kept.last, kept.mean, kept.given)), kept.last is kept.scores is outer.seen, kept.mean is kept.last)
try:
    print(kept.last + 1.0)
except Exception as error:
    print(type(error).__name__, str(error)[:120])
print(hasattr(kept.last, "numpy"))
"""


@pytest.mark.suite
def test_tensors_of_the_trace_and_plain_values_are_left_as_a_trace_leaves_them(lab):  # noqa: F811
    check_replayed(lab(KEEPS), functions=["step", "step"])


ASKED = """
print(len(kept.last.graph.get_operations()), kept.last.op.inputs[0].op.type, kept.last.consumers()[0].type, kept.mean.device)
print(kept.last is kept.scores is outer.seen, kept.last, kept.mean)
print([tf.get_static_value(one) for one in (kept.last, kept.given)], kept.mean.graph is kept.last.graph)
"""
ASKED_FIRST = KEEPS.replace("try:", """held, kept.traces, Outer.calls, kept.mean = kept.last, 70, 80, "another"
print(held.op.type, getattr(held, "gr" + "aph").name[:16], held is kept.last, kept.traces, Outer.calls, kept.mean)
del kept.last
print(held.op.name, hasattr(kept, "last"), outer.step.experimental_get_tracing_count())
kept.last = held
try:""", 1)


@pytest.mark.parametrize("program", [pytest.param(KEEPS + ASKED, marks=pytest.mark.suite), ASKED_FIRST], ids=["asked at the end", "changed and asked"])
def test_what_stands_for_a_tensor_is_traced_for_what_it_does_not_know(lab, program):  # noqa: F811
    check_replayed(lab(program), functions=["step", "step"])


WITHOUT_READING = """
import tensorflow as tf


class Model(tf.Module):
    def __init__(self):
        self.w = tf.Variable(2.0)
        self.size = tf.constant([2, 3])
        self.started = self.error = 3

    @tf.function
    def step(self, x):
        self.started = None
        self.error = float("nan")
        self.names = "\\ud800 \\x00"
        self.shape = tf.concat([[1], tf.constant([2, 3]) * 2], 0)
        self.flag = -0.0
        return x * self.w


model = Model()
print(float(model.step(tf.constant(3.0))), model.started, model.error, ascii(model.names), model.flag, model.shape)
print(tf.get_static_value(model.shape), type(model.shape).__name__, isinstance(model.shape, tf.Tensor), tf.is_tensor(model.shape))
"""


@pytest.mark.suite
def test_plain_values_of_every_kind_and_constants_are_left(lab):  # noqa: F811
    check_replayed(lab(WITHOUT_READING), functions=["step"])


A_LATER_TRACE = """
import tensorflow as tf


class Model(tf.Module):
    def __init__(self):
        self.w = tf.Variable(2.0)
        self.last = None

    @tf.function
    def step(self, x):
        self.last = x * self.w
        return self.last + 1.0


model = Model()
print(float(model.step(tf.constant(3.0))), model.last)
concrete = model.step.get_concrete_function(tf.constant(3.0))
print(len(concrete.graph.get_operations()), model.last)
print(float(concrete(tf.constant(4.0))), model.last)
"""


@pytest.mark.suite
def test_a_trace_that_was_put_off_leaves_what_it_would_have_left(lab):  # noqa: F811
    check_replayed(lab(A_LATER_TRACE.replace("concrete.graph", "concrete._func_graph")), functions=["step"])


TRACED_TWICE = """
import tensorflow as tf


class Block(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(3, kernel_initializer="ones")
        self.count = 0

    def call(self, x):
        self.count += 1
        self.kept = self.dense(x)
        return tf.keras.layers.add([self.kept, x])


first, second, optimizer = Block(), Block(), tf.keras.optimizers.SGD(0.1)


@tf.function
def step(x):
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(second(first(x))) * (1.0 if first.count < 3 else 2.0)
    optimizer.apply_gradients(zip(tape.gradient(y, first.trainable_variables), first.trainable_variables))
    return y


print([float(step(tf.ones((2, 3)))).hex() for _ in range(3)], first.count, second.count, first.kept, second.kept)
operations = [each.name for each in step.get_concrete_function(tf.ones((2, 3))).graph.get_operations()]
print(operations, second.kept.op.type, [each.name for each in second.kept.graph.get_operations()] == operations)
print(first.count, second.count, first.kept, tf.keras.layers.Dense(1).name, [float(step(tf.ones((2, 3)))).hex() for _ in range(3)])
"""


@pytest.mark.skipif(has_keras_2(), reason="Keras 2 builds layers outside of the trace, plainly")
@pytest.mark.suite
def test_a_function_that_is_traced_twice_for_its_variables_is_so_too_when_its_trace_is_put_off(lab):  # noqa: F811
    check_replayed(lab(TRACED_TWICE), functions=["step"])


GLOBALS = """
import tensorflow as tf
traces, last, flag = 0, None, "x"
w = tf.Variable(2.0)
def more():
    global traces
    traces += 10
def other(): return traces, last
@tf.function
def f(x):
    global traces, last, new
    traces += 1
    last = x * 3
    new = None
    if traces > 100: x = x * 100
    return x * w
def make():
    n, kept, unset = 0, None, 1
    del unset
    @tf.function
    def g(x):
        nonlocal n, kept, unset
        n += 1
        kept, unset = x + 1, n * 2
        more()
        return x * w * n
    def show():
        try:
            return n, kept, unset
        except NameError as error:
            return n, kept, type(error).__name__
    return g, show
g, show = make()
print(show())
for x in (tf.constant(1.0), tf.constant(1.0), tf.constant([1.0])):
    print(f(x).numpy().tolist(), traces, last, new, g(x).numpy().tolist(), show(), traces, other())
traces = 55
print(last.op.type, traces, show()[1].op.type, traces, show())
print(f(tf.constant([1.0, 2.0])).numpy().tolist(), traces, last, other())
"""


@pytest.mark.suite
def test_globals_and_variables_of_closures_are_left_too(lab):  # noqa: F811
    check_replayed(lab(GLOBALS), functions=["f", "g", "f", "g", "f"])


CONTAINERS = """
import collections
import tensorflow as tf
log, stats, deep, order = ["first"], {"traces": 0, 3: "kept"}, {"lists": [[], [1]]}, {"a": 1, "b": 2}
counts, by_name = collections.Counter(), collections.defaultdict(list)
by_name["here"]
w = tf.Variable(2.0)
objects = [w, object(), w]
class Model(tf.Module):
    seen = []
    def __init__(self):
        self.kept = []
        self.mean = None
    @tf.function
    def step(self, x):
        self.seen.append(x.shape.rank)
        y = x * w
        log.append(y)
        log.insert(0, "started")
        stats["traces"] += 1
        stats[f"rank {x.shape.rank}"] = y
        deep["lists"][0].append(-0.0)
        deep["lists"][1].clear()
        objects.append(objects.pop(1))
        order["a"], order[None] = stats["traces"], True
        counts["step"] += 1
        by_name["here"].append(y)
        return y
model = Model()
def shown(values): return [v.op.name if "Symbolic" in type(v).__name__ else v for v in values]
def show():
    print(shown(log), stats.keys(), shown(stats.values()), deep, [type(o).__name__ for o in objects], order, counts, model.seen)
    print(shown(by_name["here"]), by_name["here"][0] is log[1 - 2] is list(stats.values())[-1], objects[0] is w)
for x in (tf.constant(1.0), tf.constant(1.0), tf.constant([1.0])):
    print(model.step(x).numpy().tolist())
    show()
held = log[-1]
log.append("mine")
stats["mine"] = 1
print(len(held.graph.get_operations()), held.op.inputs[0].op.type)
show()
"""


@pytest.mark.suite
def test_what_lists_and_dictionaries_hold_is_left_too(lab):  # noqa: F811
    check_replayed(lab(CONTAINERS), functions=["step", "step"])


WHOLE = """
import tensorflow as tf
SIZE = (2, 3.5)
class Model:
    def __init__(self):
        self.w, self.rounds, self.size, self.shape, self.kept = tf.Variable([2.0]), [(0, "none")], SIZE, None, (1, (float("nan"),))
    @tf.function
    def step(self, x):
        self.shape, self.dtype, self.known = x.shape, x.dtype, tuple(x.shape)
        self.rounds.append((len(self.rounds), x.dtype.name, (True, None)))
        self.also = self.last = (1, -0.0, float("nan"), ())
        self.size, self.empty, self.free = SIZE, (), tf.TensorShape(None)
        self.kept = (1, (2.0,))
        self.hidden = x * self.w
        return self.hidden
model = Model()
for x in (tf.constant([1.0]), tf.constant([[1.0]])):
    print(model.step(x).numpy().tolist(), repr(model.shape), model.dtype is tf.float32, model.known, model.rounds, model.last, model.kept)
    print(model.also is model.last, model.size is SIZE, model.empty is tuple(), repr(model.free), model.shape == x.shape, type(model.shape))
try:
    model.hidden + 1.0
except TypeError as error:
    print("was defined here" in str(error), "firststep_agent" in str(error))
"""


@pytest.mark.suite
def test_tuples_shapes_and_types_are_left(lab):  # noqa: F811
    """Where a tensor was defined is told by the trace that was put off until then, without the agent's own lines."""
    check_replayed(lab(WHOLE), functions=["step", "step"])


TRACKED = """
import hashlib, os, tempfile
import tensorflow as tf
class Model(tf.Module):
    def __init__(self):
        self.w, self.names, self.told = tf.Variable(2.0), [], {"traces": 0}
    @tf.function
    def step(self, x):
        self.names.append(x.name)
        self.told["traces"] += 1
        return x * self.w
model = Model()
for x in (tf.constant(1.0), tf.constant([1.0])):
    print(model.step(x).numpy().tolist(), model.names, model.told, type(model.names), len(model.variables))
with tempfile.TemporaryDirectory() as folder:
    path = tf.train.Checkpoint(model=model).write(os.path.join(folder, "weights"))
    print(hashlib.md5(open(path + ".data-00000-of-00001", "rb").read()).hexdigest())
"""


@pytest.mark.suite
def test_lists_and_dictionaries_that_tensorflow_tracks_are_left_and_can_be_saved(lab):  # noqa: F811
    check_replayed(lab(TRACKED), functions=["step", "step"])


DESCRIPTORS = """
import tensorflow as tf
class Told:
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, held_by, cls): return held_by.__dict__.get(self.name, 0)
    def __set__(self, held_by, value):
        print("set", value)
        held_by.__dict__[self.name] = value
class Model(tf.Module):
    traces = Told()
    def __init__(self):
        self.w, self.traces = tf.Variable(2.0), 0
    @tf.function
    def step(self, x):
        self.traces += 1
        return x * self.w
model = Model()
for x in (tf.constant(1.0), tf.constant([1.0])):
    print(model.step(x).numpy().tolist(), model.traces)
"""


@pytest.mark.suite
def test_what_a_descriptor_does_is_done_once(lab):  # noqa: F811
    check_replayed(lab(DESCRIPTORS), functions=["step", "step"])


LONG_NUMBERS = """
import tensorflow as tf
w, long, numbers = tf.Variable(2.0), 0, [10 ** 5000]
@tf.function
def f(x):
    global long
    long = 10 ** 5000
    return x * w
@tf.function
def g(x):
    numbers.append(1)
    return x * w
@tf.function
def h(x): return x * w
print([each(tf.constant(1.0)).numpy() for each in (f, g, h)], long % 1000003, len(numbers))
"""


@pytest.mark.suite
def test_numbers_that_python_would_not_write_stop_nothing(lab):  # noqa: F811
    check_replayed(lab(LONG_NUMBERS), functions=["g", "h"])


WHICH_ONE = """
import math
import tensorflow as tf
MODE, first = "a mode", "".join(["fir", "st"])
log, seen = [first], [float("nan")]
class Model(tf.Module):
    scale = 0.25
    def __init__(self):
        self.w, self.last, self.worst = tf.Variable(2.0), None, float("nan")
    @tf.function
    def step(self, x):
        self.worst = seen[0] = math.nan
        self.mode, self.best, self.given, self.scaled = "train", math.nan, MODE, self.scale
        self.one = self.other = 10.0 ** 300
        self.text = f"rank{x.shape.rank}"
        log.append(math.nan)
        self.previous, self.last = self.last, x * self.w
        return self.last
model = Model()
for x in (tf.constant(1.0), tf.constant([1.0])):
    before = model.last
    print(model.step(x).numpy().tolist(), model.mode is "train", model.best is math.nan, math.nan in log, model.given is MODE)
    print(model.worst is math.nan, math.nan in seen, model.scaled is Model.scale, model.one is model.other, log[0] is first, model.text is "rank0", model.previous is before)
"""


@pytest.mark.suite
def test_what_was_one_object_is_one(lab):  # noqa: F811
    check_replayed(lab(WHICH_ONE), functions=["step", "step"])


ASKED_IN_ANOTHER_STATE = """
import tensorflow as tf
class Model(tf.Module):
    def __init__(self):
        self.w, self.last, self.mode = tf.Variable(2.0), None, "train"
    @tf.function
    def step(self, x):
        self.last = x * self.w
        return self.last + (1.0 if self.mode == "train" else 2.0)
    @tf.function
    def other(self, x):
        return x + self.last
model = Model()
print(model.step(tf.constant(3.0)).numpy())
"""
CHANGED_BEFORE = """
model.mode = "eval"
print(model.last.op.type)
"""
USED_IN_ANOTHER_TRACE = """
print(model.other.get_concrete_function(tf.constant(1.0)).name[:12])
try:
    model.other(tf.constant(1.0))
except Exception as error:
    print(type(error).__name__)
"""


def test_a_tensor_that_is_asked_for_its_graph_after_a_change_stops_no_unchanged_start(lab):  # noqa: F811
    last = check_same(lab(ASKED_IN_ANOTHER_STATE + CHANGED_BEFORE), [])
    assert "asked for its operation or its graph" in last.reasons("refused")[0]


@pytest.mark.suite
def test_a_trace_that_is_put_off_until_another_one_is_not_inside_that(lab):  # noqa: F811
    check_replayed(lab(ASKED_IN_ANOTHER_STATE + USED_IN_ANOTHER_TRACE), at_least=["step"])


REPLACED = """
import os
import tensorflow as tf
class Held: n = 0
class Model:
    def __init__(self):
        self.w, self.log, self.held = tf.Variable(2.0), [], Held()
    @tf.function
    def step(self, x):
        self.last = x * self.w
        self.log.append(self.last)
        self.held.n += 1
        return self.last + 1.0
model = Model()
print(model.step(tf.constant(3.0)).numpy())
if "asked" in os.listdir("."):
    model.log, held, model.held = [], model.held, Held()
    print(model.last.op.type, model.log, vars(model.held), held.n)
"""


@pytest.mark.suite
def test_a_trace_that_was_put_off_sets_nothing_on_what_has_come_since(lab, tmp_path):  # noqa: F811
    laboratory = lab(REPLACED)
    laboratory.learned()
    (tmp_path / "asked").touch()  # not in a start that learns, which would be told
    ran = laboratory.boost()
    assert ran.out == laboratory.plain().out
    assert ran.functions("live") == ["step"]


LET_GO = """
import gc, weakref
import tensorflow as tf
class Model(tf.Module):
    def __init__(self):
        self.w, self.objects = tf.Variable(2.0), Kept()
    @tf.function
    def step(self, x):
        self.traces = 1
        self.objects.append(self.traces)
        self.last = x * self.w
        return self.last
class Kept(list): pass
model = Model()
model.objects.append(model)
print(model.step(tf.constant(3.0)).numpy())
gone = [weakref.ref(model), weakref.ref(model.w), weakref.ref(model.objects)]
del model
gc.collect()
"""


def test_what_a_trace_has_set_something_on_can_go(lab):  # noqa: F811
    laboratory = lab(LET_GO + "print([each() is None for each in gone])")
    laboratory.learned()
    assert laboratory.boost().out == laboratory.plain().out


OF_THE_FRAMEWORKS = """
import hashlib, os, tempfile
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(1)


class Small(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(2)

    def call(self, x):
        return self.dense(x)


model = Small()
model.dense.build((None, 4))
optimizer = keras.optimizers.AdamW(0.1)
optimizer.exclude_from_weight_decay(var_names=["bias"])

@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss

print(float(step(tf.ones((2, 4)))).hex())
print(getattr(model, "_called", None), list(getattr(optimizer, "_exclude_from_weight_decay_cache", {}).values()))
with tempfile.TemporaryDirectory() as folder:
    path = tf.train.Checkpoint(model=model, optimizer=optimizer).write(os.path.join(folder, "weights"))
    print(hashlib.md5(open(path + ".data-00000-of-00001", "rb").read()).hexdigest())
    if hasattr(model, "export"):
        try:
            model.export(os.path.join(folder, "model"), verbose=False)
            print("exported")
        except Exception as error:
            print(error)
"""


@pytest.mark.suite
def test_what_keras_notes_of_layers_and_optimizers_while_it_traces(lab):  # noqa: F811
    check_replayed(lab(OF_THE_FRAMEWORKS), functions=None if has_keras_2() else ["step"])


UNREAD = """
import tensorflow as tf
from tensorflow import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(2, kernel_initializer="ones")])

@tf.function
def step(x):
    vars(model)["_loss_ids"] = [len(x.shape)]
    return tf.reduce_mean(model(x))

print(float(step(tf.ones((2, 4)))), vars(model)["_loss_ids"])
"""


@pytest.mark.suite
def test_what_no_trace_reads_of_frameworks_objects_is_compared_too(lab):  # noqa: F811
    check_same(lab(UNREAD), [])
