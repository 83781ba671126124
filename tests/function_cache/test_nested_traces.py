"""`tf.function`s that are traced with another one: TensorFlow keeps that trace, and gives it to whoever calls them later."""

import pytest
from replay_harness import check_same, lab  # noqa: F401

from firststep_agent.boost.cache_functions.keep import nested

pytestmark = pytest.mark.tensorflow

USED_APART = """
import types
import tensorflow as tf

config, X = types.SimpleNamespace(scale=2.0), tf.ones(2)

@tf.function
def inner(x):
    print("tracing inner")
    return x * config.scale

@tf.function
def outer(x): return inner(x) + 1

@tf.function
def other(x): return inner(x) - 1

class Model(tf.Module):
    def __init__(self): self.scale, self.v = 2.0, tf.Variable(1.0)

    @tf.function
    def step(self, x): print("tracing step"); return x * self.scale * self.v

    @tf.function
    def epoch(self, x): return self.step(x) + self.step(x)

model = Model()
print(outer(X).numpy(), model.epoch(X).numpy())
config.scale = model.scale = 3.0
print(other(X).numpy(), inner(X).numpy(), model.step(X).numpy())
"""

USED_LATER = """
import os, types
import tensorflow as tf

config, X = types.SimpleNamespace(scale=2.0), tf.ones(2)

class Model(tf.Module):
    def __init__(self): self.v = tf.Variable(1.0)

    @tf.function
    def step(self, x): print("tracing step"); return x * config.scale * self.v

    @tf.function
    def epoch(self, x): return self.step(x) + self.step(x)

model = Model()
print(model.epoch(X).numpy())
if os.path.exists("changed"): config.scale = 3.0
if os.path.exists("apart"): print(model.step(X).numpy(), tf.function(lambda x: model.step(x) - 1.0)(X).numpy())
"""

USED_WITH_ANOTHER_SHAPE = """
import types
import tensorflow as tf

config = types.SimpleNamespace(scale=2.0)

@tf.function
def inner(x): return x * config.scale

@tf.function
def outer(x): return inner(x) + 1

print(outer(tf.ones(2)).numpy())
config.scale = 3.0
print(inner(tf.ones(3)).numpy())
"""


@pytest.mark.suite
def test_a_function_that_is_called_apart_as_well_gives_what_its_first_trace_gives(lab):  # noqa: F811
    _check_same(lab(USED_APART))


@pytest.mark.suite
def test_one_that_is_called_apart_with_another_shape_stops_no_start(lab):  # noqa: F811
    _check_same(lab(USED_WITH_ANOTHER_SHAPE))


def _check_same(laboratory):
    plain = laboratory.plain()
    for _ in range(4):
        assert laboratory.boost().out == plain.out


@pytest.mark.suite
def test_one_that_never_was_called_apart_is_traced_with_the_answer_that_put_it_off(lab):  # noqa: F811
    laboratory = lab(USED_LATER)
    laboratory.learned()
    (laboratory.program.parent / "apart").touch()
    plain = laboratory.plain()
    ran = laboratory.boost()
    assert ran.functions("live") == ["epoch"] and ran.out == plain.out
    (laboratory.program.parent / "changed").touch()
    stopped = laboratory.boost(status=86)
    assert stopped.functions("live") == ["epoch"] and "comes out as another than at its first call" in stopped.err
    plain = laboratory.plain()
    assert laboratory.boost().out == plain.out


OUTLIVES = """
import gc, os
import tensorflow as tf

X = tf.ones(2)

@tf.function
def inner(x):
    print("tracing inner")
    return x * 2.0

def outer():
    @tf.function
    def outer(x): return inner(x) + 1.0
    return outer

made = outer()
print(made(X).numpy())
del made
gc.collect()
if os.path.exists("apart"): print(inner(X).numpy(), inner.experimental_get_tracing_count())
"""


def test_an_answer_that_is_gone_is_traced_for_the_function_that_is_left(lab):  # noqa: F811
    """It leads to that function, which is not kept alive for that, and is kept from the moment at which nobody else holds it."""
    laboratory = lab(OUTLIVES)
    laboratory.learned()
    (laboratory.program.parent / "apart").touch()
    plain, ran = laboratory.plain(), laboratory.boost()
    assert ran.functions("live") == ["outer"] and ran.out == plain.out


UNDER_A_TAPE = """
import keras, warnings
import tensorflow as tf

keras.utils.set_random_seed(5)
model = keras.Sequential([keras.Input((6,)), keras.layers.Dense(4, "gelu"), keras.layers.Dense(1)])
optimizer = keras.optimizers.Adam(0.001)

class Scale(tf.Module):
    def __init__(self):
        self.v = tf.Variable(1.5)

    @tf.function
    def __call__(self, x):
        return x * self.v

scale = Scale()

@tf.function
def loss_of(y, p):
    return tf.reduce_mean(tf.square(p - y))

@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_of(y, scale(model(x, training=True)))
    variables = [*model.trainable_variables, scale.v]
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss

x = tf.random.normal([16, 6])
y = tf.reduce_sum(x, 1, keepdims=True)
for epoch in range(2):
    for at in range(0, 16, 6):  # the last batch is smaller
        print(epoch, repr(float(step(x[at:at + 6], y[at:at + 6]))))
print(warnings._showwarnmsg.__module__)
"""


@pytest.mark.suite
def test_a_trace_that_is_made_up_for_under_a_tape_is_what_it_is_plainly(lab):  # noqa: F811
    """Of the step for another shape: the functions inside were to be traced with the first one, under its own tape alone."""
    laboratory = lab(UNDER_A_TAPE)
    plain = laboratory.plain()
    starts = [laboratory.boost() for _ in range(4)]
    assert [start.out for start in starts] == [plain.out] * 4
    assert "step" in starts[-1].functions("live")
    assert not [note for start in starts for note in start.notes if note[0] in ("unproved", "error", "disproved")]


LOOKED_AT = """
import copy, os, tempfile
import tensorflow as tf

class Encoder(tf.Module):
    def __init__(self):
        self.w = tf.Variable(tf.ones([3, 2]))

    @tf.function
    def __call__(self, x):
        return tf.nn.softmax(x @ self.w)

encoder = Encoder()

@tf.function
def inner(x):
    return x * 3.0

@tf.function
def step(x):
    return tf.reduce_mean(encoder(x)) + tf.reduce_sum(inner(x))

print(float(step(tf.ones([2, 3]))))
if os.path.exists("told"):
    print(inner.pretty_printed_concrete_signatures())
    try:
        copy.deepcopy(step)
    except TypeError as error:
        print(error)
if os.path.exists("saved"):
    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(encoder, folder)
        print(tf.saved_model.load(folder)(tf.ones([2, 3])).numpy().tolist())
"""


@pytest.mark.suite
def test_who_looks_for_traces_of_a_function_inside_finds_them(lab):  # noqa: F811
    """Nobody calls it: it is told of, or saved."""
    laboratory = lab(LOOKED_AT)
    laboratory.learned()
    for name in ("told", "saved"):
        laboratory.program.with_name(name).touch()
        plain, ran = laboratory.plain(), laboratory.boost()
        assert ran.functions("live") == ["step"] and ran.out == plain.out
        laboratory.program.with_name(name).unlink()


@pytest.mark.suite
def test_whose_inner_functions_are_looked_at_is_not_answered(lab):  # noqa: F811
    laboratory = lab(LOOKED_AT)
    laboratory.program.with_name("told").touch()
    ran = check_same(laboratory, [])
    assert any(nested.LOOKED_AT in reason for reason in ran.reasons("refused"))
