"""Attributes that are set while a function is traced, on the program's objects too: a replay leaves them as the trace would."""

import pytest
from replay_harness import check_replayed, lab  # noqa: F401

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


def test_tensors_of_the_trace_and_plain_values_are_left_as_a_trace_leaves_them(lab):  # noqa: F811
    check_replayed(lab(KEEPS), functions=["step", "step"])


def test_nothing_stands_for_a_tensor_whose_graph_the_program_may_ask_for(lab):  # noqa: F811
    laboratory = lab(KEEPS + "print(len(kept.last.graph.get_operations()), kept.last.op.inputs[0].op.type)\n")
    plain = laboratory.plain()
    starts = [laboratory.boost() for _ in range(3)]
    assert [start.out for start in starts] == [plain.out] * 3
    assert not starts[-1].functions("live")
    assert all("tracing changes `self." in reason for reason in starts[0].reasons("refused")), starts[0].notes


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


def test_a_trace_that_was_put_off_leaves_what_it_would_have_left(lab):  # noqa: F811
    check_replayed(lab(A_LATER_TRACE.replace("concrete.graph", "concrete._func_graph")), functions=["step"])
