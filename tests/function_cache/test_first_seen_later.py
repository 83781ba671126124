"""A use that an answer cannot serve, which the start that learned never came to: it was interrupted, or ran with another option."""

import pytest

from replay_harness import lab  # noqa: F401

pytestmark = pytest.mark.tensorflow

PROGRAM = """
import os, sys
import tensorflow as tf

class Model:
    def __init__(self):
        self.scale, self.shift, self.last, self.all = 2.0, 1.0, None, None

    @tf.function
    def inner(self, x):
        return x * self.scale

    @tf.function
    def step(self, x):
        self.last = self.inner(x) + self.shift
        self.all = [self.last, {"twice": self.last * 2.0}]
        return self.last

    @tf.function
    def other(self, x):
        print("tracing")
        os.getpid()
        return self.inner(x) * 3.0

model, x = Model(), tf.constant(3.0)
print(float(model.step(x)), flush=True)
if os.path.exists("ends"):
    sys.exit()
"""
USES = {
    "handed-out": "model.scale = 5.0\nprint(len(model.step.get_concrete_function(x).graph.get_operations()))",
    "called-apart": "model.scale = 5.0\nprint(float(model.inner(x)))",
    "called-apart-with-another-shape": "model.scale = 5.0\nprint(float(model.inner(tf.ones([2]))[0]))",
    "called-from-another": "model.scale = 5.0\nprint(float(model.other(x)))",
    "called-from-another-where-the-outer-one-has-changed": "model.shift = 5.0\nprint(float(model.other(x)))",
    "a-tensor": "model.scale = 5.0\nprint(model.last.op.type)",
    "a-tensor-in-a-list": "model.scale = 5.0\nprint(model.all[1]['twice'].op.type)",
    "a-tape": "model.scale = 5.0\nwith tf.GradientTape() as tape:\n    tape.watch(x)\n    y = model.step(x)\nprint(float(tape.gradient(y, x)))",
}


def interrupted(laboratory):
    """The same, after a start that came to its first step alone."""
    ends = laboratory.program.parent / "ends"
    ends.touch()
    laboratory.boost()
    ends.unlink()
    return laboratory


@pytest.mark.parametrize("use", [each if each == "handed-out" else pytest.param(each, marks=pytest.mark.suite) for each in USES])
def test_it_stops_no_unchanged_start(lab, use):  # noqa: F811
    laboratory = interrupted(lab(PROGRAM + USES[use] + "\nprint(float(model.step(x)))\n"))
    plain = laboratory.plain()
    starts = [laboratory.boost() for _ in range(4)]
    assert [start.out for start in starts] == [plain.out] * 4
    assert any(reason for start in starts for reason in start.reasons("refused"))


@pytest.mark.suite
def test_where_nothing_has_changed_such_a_use_is_served(lab):  # noqa: F811
    laboratory = interrupted(lab(PROGRAM + USES["handed-out"].replace("model.scale = 5.0\n", "") + "\n"))
    plain = laboratory.plain()
    starts = [laboratory.boost() for _ in range(2)]
    assert [start.out for start in starts] == [plain.out] * 2
    assert "step" in starts[1].functions("live")
