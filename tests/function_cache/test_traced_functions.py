"""Steps that call functions which are graphs already: of a SavedModel, or handed out by `get_concrete_function`."""

import pytest
from replay_harness import check_same, lab  # noqa: F401

pytestmark = pytest.mark.tensorflow

PROGRAM = """
import os, tempfile
import tensorflow as tf

FACTOR = 2.0
x, spec = tf.constant([1.0, 2.0, 3.0]), tf.TensorSpec([3])


class Model(tf.Module):
    def __init__(self): self.v = tf.Variable([1.0, 2.0, 3.0])

    @tf.function(input_signature=[spec])
    def __call__(self, x): return self.inner(x) + 1.0

    @tf.function
    def inner(self, x): return x * FACTOR * self.v


model = Model()
with tempfile.TemporaryDirectory() as folder:
    tf.saved_model.save(model, folder, signatures={"served": model.__call__})
    loaded = tf.saved_model.load(folder)
served, w = loaded.signatures["served"], tf.Variable([0.5, 0.5, 0.5])
held = tf.function(lambda x: x * w, autograph=False).get_concrete_function(spec)
held.scale = FACTOR
FACTOR = 7.0


@tf.function
def tuned(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((loaded(x) * w) ** 2)
    for variable, gradient in zip([w, loaded.v], tape.gradient(loss, [w, loaded.v])):
        variable.assign_sub(0.01 * gradient)
    return loss


@tf.function
def by_signature(x):
    return sum(map(tf.reduce_sum, served(x=x).values()))


@tf.function
def by_hand(x):
    return held(x) * held.scale


def show(*values): print([value.numpy().tolist() for value in values])


for _ in range(2):
    show(tuned(x), by_signature(x), by_hand(x))
with tf.GradientTape() as tape:
    y = tf.reduce_sum(loaded(x) ** 3)
show(y, tape.gradient(y, loaded.v), loaded.inner(x), held(x))
"""

OWN_GRADIENT = """
import tensorflow as tf

x, spec = tf.constant([1.0, 2.0]), tf.TensorSpec([2])


@tf.custom_gradient
def clipped(x):
    return x * 1.0, lambda upstream: upstream * 3.0


held = tf.function(lambda x: clipped(x) * 2.0, autograph=False).get_concrete_function(spec)


@tf.function
def step(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = held(x)
    return tape.gradient(y, x)


print(step(x).numpy())
"""


@pytest.mark.suite
def test_a_step_that_calls_them_is_answered(lab):  # noqa: F811
    check_same(lab(PROGRAM), ["tuned", "by_signature", "by_hand"])


@pytest.mark.suite
def test_another_graph_of_the_same_name_is_another_function(lab):  # noqa: F811
    """The SavedModel is written anew, and what it has kept of a global is another; so is what the program has put on the other one."""
    laboratory = lab(PROGRAM)
    laboratory.learned()
    laboratory.program.write_text(PROGRAM.replace("FACTOR = 2.0", "FACTOR = 3.0"))
    plain, ran = laboratory.plain(), laboratory.boost()
    assert ran.out == plain.out
    assert not ran.functions("live")


@pytest.mark.suite
def test_gradients_of_the_programs_own_are_in_no_graph(lab):  # noqa: F811
    reasons = check_same(lab(OWN_GRADIENT), []).reasons("refused")
    assert any("keeps a traced function (`ConcreteFunction`) with gradients of the program's own in `held`" in reason for reason in reasons)
