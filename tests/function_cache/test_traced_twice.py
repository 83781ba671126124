"""A function whose trace builds layers is traced twice: what a trace says or does, a start has twice, whether it traces or answers."""

import pytest
from programs import has_keras_2

from replay_harness import check_replayed, check_same, lab  # noqa: F401

pytestmark = pytest.mark.tensorflow

PROGRAM = """
import logging, sys, warnings
import keras, numpy as np, tensorflow as tf

logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(message)s")
log = logging.getLogger("steps")
keras.utils.set_random_seed(3)
TRACES = []


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.first, self.norm, self.last = keras.layers.Dense(4), keras.layers.BatchNormalization(), keras.layers.Dense(1)
        self.traces = 0

    def call(self, x, training=None):
        INSIDE
        return self.last(self.norm(self.first(x), training=training))


class Trainer:
    def __init__(self):
        self.net, self.optimizer, self.traces = Net(), keras.optimizers.Adam(), 0

    @tf.function
    def step(self, x, y):
        EFFECT
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self.net(x, training=True) - y) ** 2) * (1.0 + 0.0 * self.traces)
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.net.trainable_variables), self.net.trainable_variables))
        return loss


trainer = Trainer()
for _ in range(2):
    print(float(trainer.step(tf.ones((2, 3)), tf.zeros((2, 1)))))
print("traces", TRACES, trainer.traces, trainer.net.traces, [getattr(w, "path", w.name) for w in trainer.net.weights])
"""
SAYS = {
    "log": ("log.info('traced')", "pass"),
    "print": ("print('traced', x.shape)", "pass"),
    "print-inside": ("pass", "print('called', x.shape)"),
    "both": ("print('traced')", "log.info('called')"),
}
CHANGES = {
    "list": ("TRACES.append('traced')", "pass"),
    "attribute": ("self.traces += 1", "pass"),
    "inside": ("pass", "self.traces += 1"),
    "said-number": ("TRACES.append(1); print(len(TRACES))", "pass"),
    "first-only": ("print('first') if not TRACES else print('second'); TRACES.append(1)", "pass"),
}


def program(effect, inside):
    return PROGRAM.replace("EFFECT", effect).replace("INSIDE", inside)


def some(cases, quick):
    """All of them, of which those that are not quick are the suite's."""
    return [pytest.param(case, marks=() if case in quick else pytest.mark.suite) for case in cases]


@pytest.mark.parametrize("says", some(SAYS, ("log",)))
def test_what_a_trace_says_is_said_as_often_as_plainly(lab, says):  # noqa: F811
    check_same(lab(program(*SAYS[says])), ["step"])


@pytest.mark.parametrize("changes", some(CHANGES, ("first-only",)))
def test_what_a_trace_changes_is_changed_as_often_as_plainly(lab, changes):  # noqa: F811
    laboratory = lab(program(*CHANGES[changes]))
    plain = laboratory.plain()
    assert "traces" in plain.out
    for _ in range(4):  # refused or answered
        assert laboratory.boost().out == plain.out
    assert laboratory.boost({"replay": False}).out == plain.out


INNER = """
import keras, tensorflow as tf
keras.utils.set_random_seed(3)
TRACES = []
dense = keras.layers.Dense(2)


@tf.function
def inner(x):
    EFFECT
    return dense(x)


@tf.function
def outer(x):
    return tf.reduce_sum(inner(x))


print(float(outer(tf.ones((2, 3)))), float(outer(tf.ones((2, 3)))), TRACES)
"""


@pytest.mark.suite
@pytest.mark.parametrize("effect", ["print('inside')", "TRACES.append(1)", "pass"])
def test_a_function_inside_is_traced_twice_as_well(lab, effect):  # noqa: F811
    laboratory = lab(INNER.replace("EFFECT", effect))
    plain = laboratory.plain()
    for _ in range(4):
        ran = laboratory.boost()
        assert ran.out == plain.out
    if not has_keras_2():  # whose layers make variables of the trace
        assert ran.functions("proved") == ["outer"], ran.notes


WITHIN = """
import keras, tensorflow as tf
keras.utils.set_random_seed(3)
traces = {"innermost": 0, "first": 0, "second": 0, "outer": 0}
layers = [keras.layers.Dense(2) for _ in range(3)]


def counted(name):
    traces[name] += 1
    print(name, keras.layers.Activation("relu").name)


@tf.function
def innermost(x):
    counted("innermost")
    return layers[0](x)


@tf.function
def first(x):
    counted("first")
    return layers[1](innermost(x))


@tf.function
def second(x):
    counted("second")
    return innermost(x) + 1.0


@tf.function
def outer(x):
    counted("outer")
    return tf.reduce_sum(layers[2](first(x) + second(x) + first(x)))


print([float(outer(tf.ones((2, 2)))).hex() for _ in range(2)], traces)
nodes = outer.get_concrete_function(tf.ones((2, 2))).graph.as_graph_def().node
print([node.name for node in nodes if not node.name.isdigit()], traces)
print([layer.name for layer in layers], keras.layers.Dense(1).name, keras.layers.Activation("relu").name)
"""


@pytest.mark.suite
def test_functions_within_functions_are_traced_as_often_as_plainly(lab):  # noqa: F811
    laboratory = lab(WITHIN)
    plain = laboratory.plain()
    for _ in range(4):
        ran = laboratory.boost()
        assert ran.out == plain.out
        assert not ran.functions("disproved") and not ran.functions("error"), ran.notes


FITTED = """
import keras, numpy as np
keras.utils.set_random_seed(3)


class Counts(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense, self.calls = keras.layers.Dense(3), 0

    def build(self, shape):
        self.dense.build(shape)

    def call(self, x):
        self.calls += 1
        return self.dense(x)


counts = Counts()
model = keras.Sequential([keras.Input((4,)), counts, keras.layers.Dense(1)])
model.compile("adam", "mse")
print(counts.calls)
history = model.fit(np.ones((8, 4), "float32"), np.ones((8, 1), "float32"), batch_size=4, epochs=2, verbose=0)
print([loss.hex() for loss in history.history["loss"]], counts.calls)
"""


@pytest.mark.suite
def test_a_counter_in_a_layer_that_is_fitted(lab):  # noqa: F811
    replayed = check_replayed(lab(FITTED))
    assert len(replayed.functions("proved")) == 1, replayed.notes
