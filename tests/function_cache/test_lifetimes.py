"""What a program lets go is gone: no start of a function keeps what it captures alive, to the end of the process or beyond its entry."""

import pytest
from replay_harness import check_same, lab  # noqa: F401

pytestmark = [pytest.mark.tensorflow]

LETS_GO = """
import gc, sys, time, weakref
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Model(tf.Module):
    def __init__(self):
        self.w = tf.Variable(2.0)

    @tf.function
    def method(self, x):
        return x * self.w


def of_closure():
    model = Model()

    @tf.function
    def closure(x):
        return x * model.w + 1.0

    return model, closure, lambda: closure(tf.constant(3.0))


def of_method():
    model = Model()
    return model, model.method, lambda: model.method(tf.constant(3.0))


def of_argument():
    @tf.function
    def argument(model, x):
        return x * model.w - 1.0

    model = Model()
    return model, argument, lambda: argument(model, tf.constant(3.0))


def handed_out():
    model = Model()

    @tf.function
    def concrete(x):
        return x * model.w + 2.0

    return model, concrete, lambda: concrete.get_concrete_function(tf.TensorSpec([], tf.float32)) and tf.constant(0.0)


def under_a_tape():
    model = Model()

    @tf.function
    def taped(x):
        return x * model.w + 3.0

    def call():
        with tf.GradientTape() as tape:
            loss = taped(tf.constant(3.0))
        return tape.gradient(loss, model.w)

    return model, taped, call


def refused():
    model = Model()

    @tf.function
    def draws(x):
        return x * model.w + np.random.RandomState(3).rand() * 0.0 + float(np.random.rand() < 2.0)

    return model, draws, lambda: draws(tf.constant(3.0))


def keras_model():
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2, kernel_initializer="ones")])
    model.compile("sgd", "mse")
    return model, None, lambda: model.fit(np.ones((4, 3), "float32"), np.ones((4, 2), "float32"), verbose=0).history["loss"][0]


def gone(reference):
    "Waits for the thread that writes."
    until = time.monotonic() + 20
    while reference() is not None and time.monotonic() < until:
        gc.collect()
        time.sleep(0.05)
    return reference() is None


kept = []
for make in (of_closure, of_method, of_argument, handed_out, under_a_tape, refused, keras_model):
    model, function, call = make()
    print(make.__name__, float(call()))
    kept.append((make.__name__, weakref.ref(model)))
    del model, function, call
    gc.collect()
for run in gc.get_objects():
    if type(run).__name__ == "Run":
        run._call("ready")
del run
print([(name, gone(reference)) for name, reference in kept])
"""


METHOD_INSIDE = """
import gc
import tensorflow as tf

gone = []


class Part:
    def __init__(self, name):
        self.name, self.w = name, tf.Variable(2.0)

    @tf.function
    def double(self, x):
        return x * self.w

    def __del__(self):
        gone.append(self.name)


class Whole(Part):
    def __init__(self):
        super().__init__("whole")
        self.part = Part("part")

    @tf.function
    def __call__(self, x):
        return self.part.double(x) + self.w


whole = Whole()
print(float(whole(tf.constant(3.0))))
del whole
gc.collect()
print(sorted(gone))
"""


def test_the_object_of_a_method_that_is_traced_inside(lab):  # noqa: F811
    """What an answer owes of its trace held the object, and the object kept that it is owed."""
    ran = check_same(lab(METHOD_INSIDE), ["__call__"])
    assert "['part', 'whole']" in ran.out


@pytest.mark.suite
def test_what_functions_capture_goes_when_the_program_lets_it_go(lab):  # noqa: F811
    """In each start: what is learned, confirmed, answered, refused, and traced for somebody else alone."""
    ran = check_same(lab(LETS_GO), ["closure", "method", "argument", "multi_step_on_iterator"])
    assert "False" not in ran.out


SAYS_AT_ITS_END = """
import os
import tensorflow as tf

HERE = os.path.dirname(os.path.abspath(__file__))
v, w, u = tf.Variable(1.0), tf.Variable(2.0), tf.Variable(0.0)
tf.train.Checkpoint(v=v, w=w).save(HERE + "/checkpoint")
checkpoint = tf.train.Checkpoint(v=u)
checkpoint.restore(tf.train.latest_checkpoint(HERE))  # `w` is not restored, which TensorFlow says when it is let go: at the end


@tf.function
def step(x):
    return x * u


@tf.function
def handed(x):
    return x + u


print(float(step(tf.constant(3.0))))
print(len(handed.get_concrete_function(tf.TensorSpec([], tf.float32)).captured_inputs))
"""


@pytest.mark.suite
def test_what_is_said_when_objects_go_at_the_end_is_said_in_every_start(lab):  # noqa: F811
    laboratory = lab(SAYS_AT_ITS_END)
    plain = _warnings(laboratory.plain())
    assert plain
    for _ in range(3):
        ran = laboratory.boost()
        assert _warnings(ran) == plain
    assert "step" in ran.functions("live")


def _warnings(ran):
    return [line for line in ran.err.splitlines() if line.startswith("WARNING:tensorflow") or "ignored in" in line]


WITHOUT_A_COLLECTOR = """
import gc
import tensorflow as tf

class Held:
    def __init__(self, name, value):
        self.name, self.value, self.best = name, value, 0.0

    def __del__(self):
        print("over:", self.name, self.best)

def train(name, value):
    held = Held(name, value)

    @tf.function
    def step(x):
        return x * held.value

    held.best = float(step(tf.constant(2.0)))

def train_and_note(name, value):
    held, notes = Held(name, value), {}

    @tf.function
    def noting(x):
        notes["before"] = [1.0, 2.0]
        held.steps = len(notes)
        return x * held.value + notes["before"][0]

    held.best = float(noting(tf.constant(2.0)))

gc.collect()
gc.disable()
for one in (train, train_and_note):
    one("a number", 3.0)
    print("back")
    one("a variable", tf.Variable(3.0))
    print("back")
"""


@pytest.mark.suite
def test_what_a_function_closes_over_goes_with_it_without_a_collector(lab):  # noqa: F811
    check_same(lab(WITHOUT_A_COLLECTOR), live=["step", "step", "noting", "noting"])

HANDED_OUT_AFTER_ITS_CALL = """
import weakref
import tensorflow as tf

X = tf.constant([1.0, 2.0, 3.0])


class Loud:
    def __del__(self):
        print("gone", flush=True)


def make():
    loud, v = Loud(), tf.Variable([1.0, 2.0, 3.0])

    @tf.function
    def step(x):
        loud
        for i in range(20):
            x = tf.tanh(x * v + float(i))
        return x

    step(X)
    return step, weakref.ref(v)


def handed_out():
    step, v = make()
    concrete = step.get_concrete_function(X)
    print(len(concrete.graph.inputs))
    del step
    print("let go", v() is None)
    return concrete


concrete = handed_out()
print("end", flush=True)
"""


def test_who_has_a_concrete_function_keeps_nothing_else_of_it(lab):  # noqa: F811
    """What is handed out, and was asked for its graph, lives on when the function is let go: not so what that closed over."""
    laboratory = lab(HANDED_OUT_AFTER_ITS_CALL)
    plain = laboratory.plain()
    assert plain.out.splitlines() == ["2", "gone", "let go True", "end"]
    for _ in range(3):
        ran = laboratory.boost()
        assert ran.out == plain.out
    assert ran.functions("live") == ["step"], ran.notes
