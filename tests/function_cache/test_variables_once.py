"""A tf.function makes variables in its first call alone: what TensorFlow refuses plainly it refuses boosted, in the same words."""

import pytest
from replay_harness import lab  # noqa: F401

pytestmark = pytest.mark.tensorflow

HEAD = """
import tensorflow as tf, keras
x = tf.ones([1, 2])
def net(): return keras.Sequential([keras.Input((2,)), keras.layers.Dense(1, kernel_initializer="ones")])
def tried(function, *arguments):
    try:
        print(function(*arguments).numpy().tolist(), function.experimental_get_tracing_count())
    except Exception as error:
        print(type(error).__name__, str(error).strip()[-150:])
"""
PROGRAMS = {
    "another model and optimizer in a later call": """
@tf.function
def train(net, opt, x):
    with tf.GradientTape() as tape: loss = tf.reduce_sum(net(x) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
    return loss
for rate in (.1, .2):
    made, optimizer = net(), keras.optimizers.Adam(rate)
    for _ in range(2): tried(train, made, optimizer, x)
""",
    "an optimizer that a later call is the first to use": """
m, opt = net(), keras.optimizers.Adam(.1)
@tf.function
def step(x, train):
    with tf.GradientTape() as tape: loss = tf.reduce_sum(m(x))
    if train: opt.apply_gradients(zip(tape.gradient(loss, m.trainable_variables), m.trainable_variables))
    return loss
for train in (False, True, True): tried(step, x, train)
""",
    "a layer that is made in each trace": """
made = []
@tf.function
def step(x):
    layer = keras.layers.Dense(2, kernel_initializer="ones"); made.append(layer)
    return layer(x)
for _ in range(2): tried(step, x); print(len(made))
""",
    "a layer that only a first trace keeps": """
kept = {}
@tf.function
def step(x):
    if "layer" not in kept: kept["layer"] = keras.layers.Dense(2, kernel_initializer="ones")
    return kept["layer"](x)
for size in (1, 1, 3): tried(step, tf.ones([size, 2]))
""",
    "a first trace that fails when it has made some, or before": """
class Net(keras.Model):
    def __init__(self): super().__init__(); self.a, self.b = (keras.layers.Dense(2, kernel_initializer="ones") for _ in range(2))
    def call(self, x): return self.b(self.a(x))
fails = True
for early in (True, False):
    made, opt = Net(), keras.optimizers.Adam(.1)
    @tf.function
    def step(x):
        if early and fails: raise ValueError("before")
        with tf.GradientTape() as tape: loss = tf.reduce_sum(made(x) ** 2)
        opt.apply_gradients(zip(tape.gradient(loss, made.trainable_variables), made.trainable_variables))
        if fails: raise ValueError("after")
        return loss
    for fails in (True, False, False): tried(step, x)
    tried(step, tf.ones([3, 2]))
    print(step(x), step.experimental_get_tracing_count(), [v.numpy().tolist() for v in made.weights])
""",
    "layers and an optimizer, and batches of other sizes": """
class Pair(keras.layers.Layer):
    def __init__(self): super().__init__(); self.a, self.b = (keras.layers.Dense(2, kernel_initializer="ones") for _ in range(2))
    def call(self, x): return self.b(self.a(x))
pair, opt = Pair(), keras.optimizers.SGD(.1)
@tf.function
def step(x):
    with tf.GradientTape() as tape: loss = tf.reduce_mean(pair(x) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, pair.trainable_variables), pair.trainable_variables))
    return loss
for size in (2, 2, 3, 4): tried(step, tf.ones([size, 2]))
concrete = step.get_concrete_function(tf.TensorSpec([2, 2]))
print(float(concrete(tf.ones([2, 2]))), len(step._list_all_concrete_functions()))
""",
}


@pytest.mark.parametrize("program", [
    pytest.param(name, marks=() if name.startswith(("another", "a first trace")) else pytest.mark.suite) for name in PROGRAMS])
def test_each_start_says_what_the_plain_one_says(lab, program):  # noqa: F811
    laboratory = lab(HEAD + PROGRAMS[program])
    plain = laboratory.plain()
    for _ in range(3):
        ran = laboratory.boost()
        assert ran.out == plain.out, ran.notes
        assert not {"error", "unproved"} & {what for what, _ in ran.notes}, ran.notes
