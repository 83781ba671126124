"""Variables made outside the trace: everything that the program can see of them is as plainly."""

from __future__ import annotations

import threading

import pytest

from firststep_agent.boost.prebuild_variables.lifting import Lifting

PROGRAM = """
import hashlib, os, random, sys
import keras, numpy as np, tensorflow as tf

keras.utils.set_random_seed(3)
X, Y = np.random.rand(64, 8).astype("float32"), np.random.randint(0, 3, 64)

def digest(model):
    return hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest()

def path(variable):
    return getattr(variable, "path", variable.name)  # Keras 2 has TensorFlow's variables

def name(variable):
    return getattr(variable.value, "name", variable.name)

def kind(variable):
    return type(variable if isinstance(variable, tf.Variable) else variable.value).__name__

def show(optimizer):
    print([(path(v), v.name, name(v), kind(v), v.dtype, tuple(v.shape), v.trainable) for v in optimizer.variables])

def model():
    layers = [keras.layers.Dense(4), keras.layers.Dropout(0.3), keras.layers.Dense(3)]
    return keras.Sequential([keras.Input((8,)), *layers])

# fit, with a frozen layer and metrics that depend on the data
first = model()
first.layers[0].trainable = False
loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
first.compile(keras.optimizers.AdamW(), loss, metrics=["accuracy", keras.metrics.SparseTopKCategoricalAccuracy(2)])
history = first.fit(X, Y, batch_size=16, verbose=0)
print("fit", history.history, digest(first), [(path(v), name(v)) for m in first.metrics for v in m.variables])
show(first.optimizer)

# a loop of its own whose trace draws from the random streams, and a subset of the variables
second, optimizer = model(), keras.optimizers.SGD(0.1, momentum=0.9)

@tf.function
def step(x, y):
    scale = random.random() + np.random.rand()
    with tf.GradientTape() as tape:
        value = loss(y, second(x, training=True)) * scale
    kernels = second.trainable_variables[::2]
    optimizer.apply_gradients(zip(tape.gradient(value, kernels), kernels))
    return value

print("loop", [float(step(X[:16], Y[:16])) for _ in range(3)], digest(second))
print("streams", random.random(), np.random.rand(), float(tf.random.normal(())))
show(optimizer)

# a checkpoint of the other run
other = "other.weights.h5"
if not os.path.exists(other):
    first.save_weights(other)
first.load_weights(other)
state = b"".join(v.numpy().tobytes() for v in first.optimizer.variables)
print("loaded", digest(first), hashlib.sha256(state).hexdigest())
"""


@pytest.mark.tensorflow
def test_computes_the_same_and_looks_the_same(box, tensorflow_python):
    box.write("program.py", PROGRAM)
    plain = box.plain("program.py", python=tensorflow_python)
    boosted = box.boost("program.py", options=("--only", "prebuild-variables"), python=tensorflow_python)
    assert plain.code == boosted.code == 0, boosted.said
    assert boosted.live("prebuild-variables"), boosted.said
    assert boosted.out == plain.out
    (box.folder / "other.weights.h5").unlink()
    box.boost("program.py", options=("--only", "prebuild-variables"), python=tensorflow_python)
    assert box.plain("program.py", python=tensorflow_python).out == plain.out


EFFECTS = """
import keras, numpy as np, tensorflow as tf

keras.utils.set_random_seed(3)
X, Y = np.random.rand(64, 8).astype("float32"), np.random.rand(64, 1).astype("float32")

class Counting(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def call(self, x):
        self.calls += 1
        return x * (1.0 + 0.1 * self.calls)

model = keras.Sequential([keras.Input((8,)), Counting(), keras.layers.Dense(1)])
model.compile("adam", "mse", metrics=["mae"])
print(model.fit(X, Y, batch_size=16, verbose=0).history, model.layers[0].calls)

traced, optimizer = [], keras.optimizers.Adam(0.1)

@tf.function
def step(x, y):
    traced.append(1)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2) * len(traced)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss

print([float(step(X, Y)) for _ in range(3)], len(traced))

plain, other = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)]), keras.optimizers.Adam(0.1)

@tf.function
def speaking(x, y):
    print("traced")
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((plain(x) - y) ** 2)
    other.apply_gradients(zip(tape.gradient(loss, plain.trainable_variables), plain.trainable_variables))
    return loss

print([float(speaking(X, Y)) for _ in range(3)])

# what the program has put into a framework's class
own, met = keras.layers.Layer.__call__, []

def counting(self, *args, **kwargs):
    met.append(type(self).__name__)
    return own(self, *args, **kwargs)

patched = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
patched.compile("adam", "mse")
keras.layers.Layer.__call__ = counting
patched.fit(X, Y, batch_size=16, verbose=0)
print(met)
"""


@pytest.mark.tensorflow
@pytest.mark.parametrize("without", ["cache-functions", pytest.param("memoise-signatures", marks=pytest.mark.suite)])
def test_code_that_changes_something_while_it_is_traced_is_traced_as_often_as_plainly(box, tensorflow_python, without):
    box.write("program.py", EFFECTS)
    plain = box.plain("program.py", python=tensorflow_python)
    boosted = box.boost("program.py", options=("--without", without), python=tensorflow_python)
    assert plain.code == boosted.code == 0, boosted.said
    assert boosted.live("prebuild-variables"), boosted.said
    assert boosted.out == plain.out


FORMS = """
import functools, keras, tensorflow as tf

calls = {}

def training(name):
    \"\"\"A step that counts how often it is traced; its first trace makes the optimizer's variables.\"\"\"
    variable, optimizer = tf.Variable([1.0, 2.0]), keras.optimizers.SGD(0.1, momentum=0.9)

    def step(x):
        calls[name] = calls.get(name, 0) + 1
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(variable * x)
        optimizer.apply_gradients([(tape.gradient(loss, variable), variable)])
        return loss
    return step

def bare(name):
    step = training(name)
    return lambda self, x: step(x)

class Module(tf.Module):
    plain = tf.function(bare("a module's method"))
    __call__ = tf.function(bare("a module that is called"))
    inner = tf.function(bare("a method inside"))

    @tf.function
    def outer(self, x):
        return self.inner(x)

class Layer(keras.layers.Layer):
    step = tf.function(bare("a layer's method"))

class Plain:
    step = tf.function(bare("a method"))
    bound = bare("a bound method")
    static = staticmethod(tf.function(training("a static method")))
    made = classmethod(tf.function(bare("a class's method")))
    undecorated = tf.autograph.experimental.do_not_convert(bare("a method that is not converted"))

    def __init__(self):
        self.own = training("an object that is called")

    def __call__(self, x):
        return self.own(x)

def wrapped(function):
    @functools.wraps(function)
    def wrapper(*arguments):
        return function(*arguments)
    return wrapper

def counted(name):
    @tf.custom_gradient
    def doubled(x):
        calls[name] = calls.get(name, 0) + 1
        return 2.0 * x, lambda upstream: 2.0 * upstream

    variable, optimizer = tf.Variable([1.0, 2.0]), keras.optimizers.SGD(0.1, momentum=0.9)

    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(doubled(variable * x))
        optimizer.apply_gradients([(tape.gradient(loss, variable), variable)])
        return loss
    return step

module, plain = Module(), Plain()
functions = [
    module.plain, module, module.outer, Layer().step, plain.step, tf.function(plain.bound), Plain.static, Plain.made,
    tf.function(plain.undecorated), tf.function(plain), tf.function(functools.partial(lambda step, x: step(x), training("a partial"))),
    tf.function(tf.autograph.experimental.do_not_convert(training("not converted"))),
    tf.function(wrapped(training("wrapped"))), tf.function(wrapped(tf.function(training("wrapped twice")))),
    tf.function(tf.autograph.experimental.do_not_convert(functools.partial(training("a partial that is not converted")))),
    tf.function(counted("a gradient of its own")),
]
for function in functions:
    print([float(function(tf.constant([1.0, 3.0]))) for _ in range(3)])
print(sorted(calls.items()))
"""


@pytest.mark.tensorflow
@pytest.mark.parametrize("without", ["cache-functions", pytest.param("memoise-signatures", marks=pytest.mark.suite)])
def test_whatever_wraps_it_the_programs_code_is_looked_at(box, tensorflow_python, without):
    box.write("program.py", FORMS)
    plain = box.plain("program.py", python=tensorflow_python)
    boosted = box.boost("program.py", options=("--without", without), python=tensorflow_python)
    assert plain.code == boosted.code == 0, plain.err + boosted.said
    assert boosted.out == plain.out


NESTED = """
import keras, numpy as np, tensorflow as tf

if int(keras.__version__.split(".")[0]) < 3:
    raise SystemExit("needs Keras 3")
from keras.src.backend.common import global_state

keras.utils.set_random_seed(3)
X, Y = np.random.rand(16, 8, 8, 3).astype("float32"), np.random.rand(16, 1).astype("float32")

def model():
    layers = [keras.layers.ZeroPadding2D(1), keras.layers.Conv2D(4, 3), keras.layers.Flatten(), keras.layers.Dense(1)]
    return keras.Sequential([keras.Input((8, 8, 3)), *layers])

def names():
    return sorted((global_state.get_global_attribute("object_name_uids") or {}).items())

def stepping(net, optimizer):
    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((net(x) - y) ** 2)
        optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        return loss
    return step

# takes automatic names in each trace
step = stepping(model(), keras.optimizers.Adam(0.1))
print([float(step(X, Y)) for _ in range(3)], names())

# makes its variables in a function inside, which alone is traced again
other, traced = model(), []
inner = stepping(other, keras.optimizers.Adam(0.1))

@tf.function
def outer(x, y):
    traced.append(1)
    print("traced")
    return inner(keras.ops.flip(x, 1), y) * len(traced) + tf.reduce_sum(other(x))

print([float(outer(X, Y)) for _ in range(3)], len(traced), names())

class Nameless(keras.layers.Layer):
    def call(self, x):
        return keras.layers.ReLU()(keras.ops.pad(x, ((0, 0), (1, 1))))  # a new layer in each trace

third = keras.Sequential([keras.Input((8,)), Nameless(), keras.layers.Dense(1)])
third.compile("adam", "mse", metrics=["mae"])
print(third.fit(X[:, 0, :, 0], Y, verbose=0).history, names(), keras.layers.ReLU().name)

# draws after its optimizer is built
drawing, optimizer = tf.Variable(2.0), keras.optimizers.Adam(0.1)

@tf.function
def draw():
    optimizer.apply_gradients([(drawing * 1.0, drawing)])
    return drawing + np.random.rand()

print([float(draw()) for _ in range(2)], np.random.rand())

# asks what the optimizer has made before it has made it
asking, late = tf.Variable(2.0), keras.optimizers.Adam(0.1)

@tf.function
def ask():
    count = len(late.variables)
    late.apply_gradients([(asking * 1.0, asking)])
    return asking * count

print([float(ask()) for _ in range(2)], names())
"""


@pytest.mark.tensorflow
@pytest.mark.parametrize("without", [
    "cache-functions", *(pytest.param(one, marks=pytest.mark.suite) for one in ("prebuild-variables", "memoise-signatures"))])
def test_each_function_is_traced_as_often_as_plainly_and_takes_the_names_that_it_would(box, tensorflow_python, without):
    box.write("program.py", NESTED)
    plain = box.plain("program.py", python=tensorflow_python)
    if "needs Keras 3" in plain.said:
        pytest.skip("Keras 2 has no such counters")
    assert plain.code == 0, plain.said
    for _ in range(2):
        boosted = box.boost("program.py", options=("--without", without), python=tensorflow_python)
        assert boosted.code == 0, boosted.said
        assert boosted.out == plain.out


PATCHED = """
import os
import keras, numpy as np, tensorflow as tf
from tensorflow.python.eager.polymorphic_function import polymorphic_function

made, kind = [], polymorphic_function.UnliftedInitializerVariable
plain = kind.__init__

def counting(self, *arguments, **keywords):
    made.append(keywords.get("name"))
    plain(self, *arguments, **keywords)

if os.path.exists("patched"):
    kind.__init__ = counting
keras.utils.set_random_seed(3)
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
model.compile("adam", "mse", metrics=["mae"])
print(model.fit(np.ones((8, 8), "float32"), np.ones((8, 1), "float32"), batch_size=4, verbose=0).history, len(made))
"""


@pytest.mark.tensorflow
@pytest.mark.parametrize("remedy", ["prebuild-variables", pytest.param("cache-functions", marks=pytest.mark.suite)])
def test_what_the_program_has_put_where_variables_are_made_is_called(box, tensorflow_python, remedy):
    """Whether no start with it was ever learned, or starts without it were."""
    options = ("--only", remedy, "--set", "cache-functions.replay_over_ms=0", "--proof", "wait")
    box.write("program.py", PATCHED)
    box.write("patched", "")
    plain = box.plain("program.py", python=tensorflow_python)
    assert int(plain.out.split()[-1]) > 0, plain.out

    def boosted():
        return box.boost("program.py", options=options, python=tensorflow_python)

    assert [boosted().out for _ in range(2)] == [plain.out] * 2
    (box.folder / "patched").unlink()
    starts = [boosted() for _ in range(3)]
    assert starts[-1].live(remedy), starts[-1].said
    box.write("patched", "")
    last = boosted()
    assert last.out == plain.out and "is not TensorFlow's own here" in last.said, last.said


CREATORS = """
import functools, keras, numpy as np, tensorflow as tf, traceback

keras.utils.set_random_seed(3)

def creator(next_creator, **keywords):
    plain = keywords["initial_value"]
    if keywords["name"].endswith("kernel_momentum"):
        keywords["initial_value"] = lambda *shape, **more: plain(*shape, **more) + tf.random.normal((8, 3))
    made.append((keywords["name"], tf.executing_eagerly()))
    return next_creator(**keywords)

made = []
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(3)])
model.compile(keras.optimizers.SGD(0.1, momentum=0.9), "mse")
with tf.variable_creator_scope(GIVEN):
    print(model.fit(np.ones((8, 8)), np.ones((8, 3)), verbose=0, epochs=2).history, made)

class Fails(keras.optimizers.SGD):
    def build(self, variables):
        raise ValueError("no build")

keras.config.disable_traceback_filtering(), tf.debugging.disable_traceback_filtering()
model.compile(Fails(0.1), "mse")
try:
    model.fit(np.ones((8, 8)), np.ones((8, 3)), verbose=0)
except ValueError as error:
    print(error, [frame.name for frame in traceback.extract_tb(error.__traceback__)])
"""


@pytest.mark.parametrize("given", ["creator", "tf.autograph.experimental.do_not_convert(functools.wraps(tf.ones)(creator))"])
def test_the_programs_creators_of_variables_run_in_the_trace_as_plainly(box, tensorflow_python, given):
    """They may draw: what they draw outside is another number. The second has the names of a function of TensorFlow's, and code."""
    box.write("program.py", CREATORS.replace("GIVEN", given))
    plain = box.plain("program.py", python=tensorflow_python)
    if "False" not in plain.out:
        pytest.skip("Keras 2 leaves the trace for an optimizer's variables itself")
    boosted = box.boost("program.py", options=("--only", "prebuild-variables"), python=tensorflow_python)
    assert boosted.out == plain.out and "momentum" in plain.out, plain.said
    assert "tf.variable_creator_scope" in boosted.said and not boosted.live("prebuild-variables")


def test_a_build_is_of_its_thread_alone():
    """What another thread's trace makes meanwhile belongs to no build."""
    lifting, elsewhere = Lifting(None), []
    with lifting.build(), lifting.build():
        thread = threading.Thread(target=lambda: elsewhere.append(lifting.building))
        thread.start()
        thread.join()
        assert (lifting.building, elsewhere) == (2, [0])
    assert lifting.building == 0
