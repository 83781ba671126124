"""The work of lint grows as the file does: a program twice as long costs twice as many steps of Python, not four times."""

import gc
import sys

import pytest

from firststep.lint.check import check_text
from firststep.lint.rules import all_rules

SHAPES = {
    "functions that make graph functions in loops": """
def f{n}():
    for j in range(3):
        g = tf.function(lambda x: x)
        g(j)
""",
    "models, one after the other": """
x{n} = tf.constant(np.ones((3, {n})))
m = tf.keras.Sequential([tf.keras.layers.Dense({n})])
m.compile("sgd")
""",
    "functions that others call in loops": """
def build{n}(k):
    model = tf.keras.Sequential([tf.keras.layers.Dense(k)])
    model.compile("adam")
    return model
for k in range(10):
    model = build{n}(3)
    model.fit(x, y)
    del model
""",
    "graph functions called with numbers": """
@tf.function
def step{n}(x, i):
    for k in range(100):
        x = tf.tanh(tf.matmul(x, x))
    return x
i = 0
while i < 100:
    step{n}(x, i)
    i += 1
""",
    "classes with optimizers and steps": """
class Agent{n}:
    def __init__(self):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        self.optimizer = tf.keras.optimizers.Adam()
    @tf.function
    def step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(self.model(x))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
""",
    "pipelines": """
def decode{n}(path):
    return tf.image.decode_jpeg(tf.io.read_file(path))
data = tf.data.Dataset.list_files("*.jpg").map(decode{n})
data = data.shuffle(1000).batch(32)
""",
    "sessions": """
def run{n}(graph, value):
    with tf.compat.v1.Session() as sess:
        sess.run(tf.compat.v1.global_variables_initializer())
        return sess.run(graph, {{"x": value}})
for value in range(10):
    run{n}(graph, value)
""",
    "layers of one's own": """
class Layer{n}(tf.keras.layers.Layer):
    def call(self, x):
        for k in range(100):
            x = tf.tanh(self.part(x))
        return x
    def part(self, x):
        return tf.matmul(x, x)
""",
}
INSIDE = {
    "a loop of many calls": ("for i in range(100):\n", "    step(x, i)\n    y{n} = tf.function(lambda x: x)(i)\n"),
    "a loop of many functions that read what it does not change": ("for i in range(100):\n", """
    seen{n}.append(i)
    f{n} = tf.function(lambda x: model{n}(x))
    f{n}(i)
"""),
    "pipelines from one": ("data = tf.data.Dataset.list_files('*.jpg')\n", "train{n} = data.map(tf.io.read_file).shuffle(1000)\n"),
    "models that are loaded": ("", """
model{n} = tf.keras.applications.ResNet50()
model{n}.load_weights("w.weights.h5")
"""),
    "a traced loop of many loops": ("@tf.function\ndef g(x):\n", """
    for k in range(100):
        x = tf.tanh(tf.matmul(x, x))
"""),
    "a class of many methods": ("class Layer(tf.keras.layers.Layer):\n", """
    def part{n}(self, x):
        for k in range(20):
            x = tf.tanh(tf.matmul(x, self.weight{n}) + self.part{n}(x))
        return x
"""),
    "an `__init__` of many parts": ("class Net(tf.Module):\n    def __init__(self):\n", """
        self.step{n} = tf.function(self.call{n})
        self.optimizer{n} = tf.keras.optimizers.Adam()
        self.optimizer{n}.apply_gradients(zip(gradients, variables))
"""),
}
BEGIN = "import numpy as np\nimport tensorflow as tf\n\n\n@tf.function\ndef step(x, i):\n    return x + i\n\n\n"
FEW = 20


def program(begin, part, times):
    return BEGIN + begin + "".join(part.format(n=n) for n in range(times))


def steps(text):
    """Lines, rounds and calls that checking a text takes."""
    done = 0

    def count(frame, event, argument):
        nonlocal done
        done += 1
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        checked = check_text("program.py", text, all_rules())
    finally:
        sys.settrace(before)
    assert not checked.troubles
    return done


@pytest.mark.parametrize("name", [*SHAPES, *INSIDE])
def test_a_program_twice_as_long_is_twice_the_work(name):
    begin, part = INSIDE.get(name) or ("", SHAPES[name])
    check_text("program.py", program(begin, part, 1), all_rules())  # what is imported and remembered once
    gc.collect()
    few, more = (steps(program(begin, part, times)) for times in (FEW, 4 * FEW))
    assert more < 4.4 * few, f"{few} steps, then {more}"
