"""Layers that are built by the first call, in the trace of a step: they come out as they would in the trace, or the trace builds them."""

import pytest
from programs import has_keras_2
from replay_harness import check_replayed, lab  # noqa: F401

pytestmark = [pytest.mark.tensorflow]
START = """
import contextlib
import tensorflow as tf

made = []


class Setting:
    scale = 0.5


setting = Setting()
setting.scale = 0.5


class Layer(tf.keras.layers.Layer):
    def call(self, x):
        for _ in range(3):
            x = tf.tanh(x * self.w) + tf.math.log(2.0)
        return self.again(x)

    def again(self, x):
        return tf.add(tf.stack([x, x]), 1.0)

    def constant(self, value):
        return self.add_weight(shape=(4,), initializer=tf.keras.initializers.Constant(value))


class AsksWhereItRuns(Layer):
    def build(self, shape):
        asked = tf.executing_eagerly(), tf.inside_function()
        self.w = self.constant(1.0 + sum(2.0 ** number for number, one in enumerate(asked) if one))
        self.built = True


class AsksForItsGraph(Layer):
    def build(self, shape):
        self.w = self.constant(float(len(tf.compat.v1.get_default_graph().get_operations())))


class MakesTensors(Layer):
    def build(self, shape):
        self.w = self.constant(2.0 if hasattr(tf.constant(1.0), "_numpy") else 3.0)


class FromATensor(Layer):
    def build(self, shape):
        self.w = tf.Variable(tf.zeros((4,)) + 0.5)


class TurnsErrorsIntoItsOwn(Layer):
    def build(self, shape):
        try:
            self.w = tf.Variable(tf.zeros((4,)) + 0.5)
        except Exception as error:
            raise RuntimeError("no variable") from error


class GoesAnotherWay(Layer):
    def build(self, shape):
        try:
            self.w = tf.Variable(tf.zeros((4,)) + 0.5)
        except Exception:
            self.w = self.constant(1.0)


class FromAFunction(Layer):
    def build(self, shape):
        self.w = tf.Variable(lambda: tf.zeros((4,)) + 0.5, name="mine")


class IsWatched(AsksWhereItRuns):
    pass


class ReadsWhatWasChanged(Layer):
    def build(self, shape):
        self.w = self.constant(setting.scale)


class ReadsWhatIsChangedMeanwhile(ReadsWhatWasChanged):
    pass


class HasChildren(Layer):  # and was given no seeds
    def build(self, shape):
        self.inner = [tf.keras.layers.Dense(4), tf.keras.layers.Dropout(0.5), tf.keras.layers.Dense(4, "relu", kernel_initializer="he_normal")]
        self.w = self.constant(2.0)

    def call(self, x):
        for one in self.inner:
            x = one(x)
        return self.again(0.0 * x) + self.w


def creator(next_creator, **keywords):
    made.append(keywords["name"])
    return next_creator(**keywords)


def changed():
    setattr(setting, "scale", 2.0)
    return contextlib.nullcontext()


@contextlib.contextmanager
def meanwhile():
    before = setting.scale
    setattr(setting, "scale", 3.0)
    yield
    setattr(setting, "scale", before)


around = {IsWatched: lambda: tf.variable_creator_scope(creator), ReadsWhatWasChanged: changed, ReadsWhatIsChangedMeanwhile: meanwhile}


def step_of(layer):
    within = around.get(type(layer), contextlib.nullcontext)

    @tf.function
    def step(x):
        with within():
            return tf.reduce_mean(layer(x))

    return step


for kind in (AsksWhereItRuns, AsksForItsGraph, MakesTensors, FromATensor, TurnsErrorsIntoItsOwn, GoesAnotherWay, FromAFunction, IsWatched, ReadsWhatWasChanged,
             ReadsWhatIsChangedMeanwhile, HasChildren):
    layer = kind()
    step = step_of(layer)
    print(kind.__name__, float(step(tf.ones((2, 4)))).hex(), float(step(tf.ones((2, 4)))).hex(), layer.w.name, layer.w.numpy())
print(made, tf.keras.layers.Dense(1).name, setting.scale)
"""


@pytest.mark.suite
@pytest.mark.skipif(has_keras_2(), reason="Keras 2 builds layers outside of the trace, plainly")
def test_a_build_runs_where_it_runs_plainly(lab):  # noqa: F811
    laboratory = lab(START)
    plain = laboratory.plain()
    starts = [laboratory.boost() for _ in range(3)]
    assert [start.out for start in starts] == [plain.out] * 3
    left = [reason for reason in starts[0].reasons("refused") if reason.startswith("it builds")]
    puts = "puts operations into the graph"
    words = (("AsksForItsGraph", "called from"), ("MakesTensors", puts), ("FromATensor", puts), ("TurnsErrorsIntoItsOwn", puts),
             ("GoesAnotherWay", puts), ("IsWatched", "variable_creator_scope"))
    assert len(left) == len(words) and all(one in reason for reason, ones in zip(left, words) for one in ones), left
    otherwise = [reason for reason in starts[1].reasons("learned") if "is built otherwise than when it was learned" in str(reason)]
    assert [reason.split()[0] for reason in otherwise] == ["ReadsWhatWasChanged", "ReadsWhatIsChangedMeanwhile"]
    assert len(starts[-1].functions("live")) >= 3, starts[-1].notes


WITH_CODE = """
import tensorflow as tf

registry, counted = [], {"calls": 0}


class Checked:
    def __init__(self):
        self.shapes = {}

    def __call__(self, x, names):
        for number, name in enumerate(names.split()):
            self.shapes[name] = x.shape[number]


class Keeps(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(4, kernel_initializer="ones")

    def call(self, x):
        checked = Checked()
        checked(x, "batch units")
        y = tf.keras.layers.add([x, self.dense(x)])
        self.last = tf.nn.softmax(y)
        return y


class Counts(Keeps):
    def call(self, x):
        registry.append(len(registry))
        return super().call(x)


class Says(Keeps):
    def call(self, x):
        print("called")
        return super().call(x)


class WithAMask(tf.keras.layers.Layer):
    def build(self, shape):
        self.w = self.add_weight(shape=(4,), initializer="ones")
        self.mask = [1.0] * 4
        self.mask[1] = 0.0

    def call(self, x):
        return tf.nn.relu(x * self.w * self.mask)


def step_of(layer):
    @tf.function
    def step(x):
        return tf.reduce_mean(layer(x))

    return step


for kind in (Keeps, WithAMask, Counts, Says):
    layer = kind()
    step = step_of(layer)
    print(kind.__name__, float(step(tf.ones((2, 4)))).hex(), float(step(tf.ones((2, 4)))).hex(), getattr(layer, "last", None))
print(registry, tf.keras.layers.add([tf.ones(2), tf.ones(2)]).numpy(), tf.keras.layers.Add().name)
"""


@pytest.mark.suite
@pytest.mark.skipif(has_keras_2(), reason="Keras 2 builds layers outside of the trace, plainly")
def test_code_in_a_build_that_leaves_all_else_alone_is_repeated(lab):  # noqa: F811
    laboratory = lab(WITH_CODE)
    plain = laboratory.plain()
    starts = [laboratory.boost() for _ in range(3)]
    assert [start.out for start in starts] == [plain.out] * 3
    refused = [reason for reason in starts[0].reasons("refused") if reason.startswith("it builds")]
    assert len(refused) == 1 and "it changes" in refused[0], starts[0].notes
    assert len(starts[-1].functions("live")) >= 3, starts[-1].notes


MADE_IN_A_BUILD = """
import tensorflow as tf


class Inner(tf.keras.layers.Layer):
    calls, gone = 0, "of the class"

    def build(self, shape):
        self.w = self.add_weight(shape=(4,), initializer="ones")
        self.gone, self.mode = "of the object", "built"

    def call(self, x):
        self.calls += 1
        self.last, self.mode, self.shapes = tf.tanh(x * self.w), f"called {self.calls}", tuple(x.shape)
        if "gone" in vars(self):
            del self.gone
        return self.last


class Outer(tf.keras.layers.Layer):
    def build(self, shape):
        self.attention = tf.keras.layers.MultiHeadAttention(2, 4, dropout=0.2)
        self.first, self.second, self.unbuilt = Inner(), Inner(), Inner()
        self.by_name = {"third": Inner()}
        self.first.build(shape)

    def call(self, x):
        x = self.first(self.attention(x, x))
        self.first.calls += 10
        return self.by_name["third"](self.second(x))


class Reads(Outer):
    def call(self, x):
        x = super().call(x)
        return x * float(self.first.calls) + float(len(self.second.mode))


def step_of(layer):
    @tf.function
    def step(x):
        return tf.reduce_mean(layer(x))

    return step


tf.keras.utils.set_random_seed(1)
for kind in (Outer, Reads):
    layer = kind()
    step = step_of(layer)
    print(kind.__name__, *(float(step(tf.ones((batch, 3, 4)))).hex() for batch in (2, 2, 5, 2)))
    for one in (layer.first, layer.second, layer.unbuilt, layer.by_name["third"]):
        print(one.name, one.calls, one.gone, one.built, *(str(getattr(one, name, None)) for name in ("mode", "shapes", "last")))
    print(vars(layer.attention._dropout_layer).get("_called"))
"""


@pytest.mark.suite
@pytest.mark.skipif(has_keras_2(), reason="Keras 2 builds layers outside of the trace, plainly")
def test_what_a_trace_sets_on_what_it_builds_is_set_by_an_answer(lab):  # noqa: F811
    laboratory = lab(MADE_IN_A_BUILD)
    plain = laboratory.plain()
    starts = [laboratory.boost() for _ in range(4)]
    assert [start.out for start in starts] == [plain.out] * 4
    assert starts[0].reasons("refused") == starts[1].reasons("refused") == [], (starts[0].notes, starts[1].notes)
    assert len(starts[-1].functions("live")) == 4, starts[-1].notes
    assert len(starts[-1].functions("proved")) == 4, starts[-1].notes


NAMES = """
import hashlib, os, tempfile
import tensorflow as tf
from tensorflow import keras
keras.utils.set_random_seed(0)
name = lambda v: v.value.name if hasattr(v, "path") else v.name

def told(*owners):
    for owner in owners:
        for v in (owner.variables() if callable(owner.variables) else owner.variables): print(type(owner).__name__, name(v))

x = tf.random.stateless_normal((8, 4), (1, 2))

class Gan(keras.Model):
    def __init__(self):
        super().__init__()
        self.g, self.d = keras.layers.Dense(4), keras.layers.Dense(1)
        self.seen, self.same = keras.metrics.Mean(name="seen"), keras.metrics.Mean(name="seen")
    def call(self, x):
        return self.d(self.g(x))
    def compile(self, a, b):
        super().compile()
        self.a, self.b = a, b
    def train_step(self, data):
        for opt, layer in ((self.a, self.g), (self.b, self.d)):
            with tf.name_scope("half"):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(self(data) ** 2)
                opt.apply_gradients(zip(tape.gradient(loss, layer.trainable_variables), layer.trainable_variables))
        self.seen.update_state(loss); self.same.update_state(loss)
        return {"loss": loss}

gan = Gan()
gan(x)
gan.compile(keras.optimizers.Adam(), keras.optimizers.Adam())
gan.fit(x, batch_size=4, verbose=0)
told(gan.a, gan.b, gan.seen, gan.same)

model = keras.Sequential([keras.layers.Dense(3, name="one"), keras.layers.Dense(2, name="Seen"), keras.layers.Dense(1)])
model.compile(keras.optimizers.SGD(0.1, momentum=0.9), "mse", metrics=["mae", keras.metrics.MeanSquaredError(name="another")], weighted_metrics=["mape"])
model.fit(x, x[:, :1], batch_size=4, verbose=0)
told(model, model.optimizer, *model.metrics)

class Twice(keras.layers.Layer):
    def build(self, shape):
        self.a = self.add_weight(shape=(4,), name="w", initializer="ones")
        with tf.name_scope("deep"):
            self.b = self.add_weight(shape=(4,), name="w", initializer="ones")
        with tf.name_scope("deep"):
            self.c = self.add_weight(shape=(4,), name="w", initializer="zeros")
    def call(self, x):
        return x * self.a + self.b + self.c

layer, opt = Twice(), keras.optimizers.RMSprop()
@tf.function
def step(x):
    with tf.name_scope("around"), tf.GradientTape() as tape:
        loss = tf.reduce_sum(layer(x))
    opt.apply_gradients(zip(tape.gradient(loss, layer.trainable_variables), layer.trainable_variables))
    return loss
for _ in range(3): print(float(step(x)))
told(layer, opt)

scaled = keras.mixed_precision.LossScaleOptimizer(keras.optimizers.SGD(0.1)) if hasattr(keras.mixed_precision, "LossScaleOptimizer") else opt
w = tf.Variable([1.0])
@tf.function
def step2():
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w * w)
        loss = scaled.scale_loss(loss) if hasattr(scaled, "scale_loss") else scaled.get_scaled_loss(loss)
    g = tape.gradient(loss, [w])
    scaled.apply_gradients(zip(g if hasattr(scaled, "scale_loss") else scaled.get_unscaled_gradients(g), [w]))
    return loss
for _ in range(3): print(float(step2()))
told(scaled)
with tempfile.TemporaryDirectory() as folder:
    tf.train.Checkpoint(model=model, optimizer=model.optimizer, gan=gan, layer=layer).write(os.path.join(folder, "ck"))
    for one in sorted(os.listdir(folder)):
        print(one, hashlib.md5(open(os.path.join(folder, one), "rb").read()).hexdigest())
"""


@pytest.mark.suite
def test_variables_have_the_names_that_they_have_plainly_and_checkpoints_are_the_same_files(lab):  # noqa: F811
    check_replayed(lab(NAMES), at_least=["step", "step2"])


OWN_OPTIMIZERS = """
import hashlib, os, tempfile
import keras, tensorflow as tf, numpy as np
from keras import ops
keras.utils.set_random_seed(1)
class Lion(keras.optimizers.Optimizer):
    def __init__(self, learning_rate=1e-3, beta=0.9, **kw):
        super().__init__(learning_rate=learning_rate, name="lion", **kw)
        self.beta = beta
    def build(self, var_list):
        super().build(var_list)
        self.m = [self.add_variable_from_reference(v, name="momentum") for v in var_list]
        self.steps = self.add_variable(shape=(), initializer="zeros", name="steps")
    def update_step(self, g, v, lr):
        m = self.m[self._get_variable_index(v)]
        self.assign_sub(v, ops.sign(m * self.beta + g * (1 - self.beta)) * lr)
        self.assign(m, m * self.beta + g * (1 - self.beta))
class Odd(Lion):
    def build(self, var_list):
        super().build(var_list)
        self.eager = tf.executing_eagerly()
        self.k = self.add_variable(shape=(), initializer="ones" if self.eager else "zeros", name="k")
    def update_step(self, g, v, lr):
        super().update_step(g, v, lr)
        self.assign_add(self.k, 1.0)
class Draws(Lion):
    def build(self, var_list):
        super().build(var_list)
        self.k = self.add_variable(shape=(), initializer=lambda s, dtype: tf.random.normal(s), name="k")
for cls in (Lion, Odd, Draws):
    m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
    m.compile(cls(0.01, weight_decay=0.01 if cls is Lion else None), "mse")
    x = np.random.default_rng(0).normal(size=(32, 4)).astype("float32")
    print(cls.__name__, m.fit(x, x[:, :1], batch_size=8, epochs=2, verbose=0, shuffle=False).history)
    print([v.value.name for v in m.optimizer.variables], hashlib.md5(b"".join(np.asarray(v).tobytes() for v in m.optimizer.variables + m.weights)).hexdigest())
    o = cls(0.02)
    ws = [tf.Variable([1.0, 2.0]), tf.Variable([[3.0]])]
    @tf.function
    def step():
        with tf.GradientTape() as t: l = tf.add_n([tf.reduce_sum(w * w) for w in ws])
        o.apply_gradients(zip(t.gradient(l, ws), ws))
        return l
    print([float(step()) for _ in range(3)], [v.value.name for v in o.variables])
    with tempfile.TemporaryDirectory() as d:
        p = tf.train.Checkpoint(o=o, m=m).write(os.path.join(d, "c"))
        print(hashlib.md5(open(p + ".data-00000-of-00001", "rb").read()).hexdigest())
"""


@pytest.mark.suite
@pytest.mark.skipif(has_keras_2(), reason="an optimizer of the program's own is left to the trace there")
def test_optimizers_of_the_programs_own(lab):  # noqa: F811
    ran = check_replayed(lab(OWN_OPTIMIZERS), at_least=["multi_step_on_iterator", "multi_step_on_iterator", "step", "step"])
    assert len(ran.functions("live")) == 5, ran.notes  # what draws is left to the trace: the step that is made after it is answered


UNDONE = """
import random
import tensorflow as tf
from tensorflow import keras
keras.utils.set_random_seed(7)


class Layer(keras.layers.Layer):
    def call(self, x):
        return tf.tanh(x * tf.reduce_mean(self.w)) + tf.math.log(2.0)


class Draws(Layer):
    def build(self, shape):
        self.w = tf.Variable(tf.random.normal((4,)))


class DrawsLate(Layer):
    def build(self, shape):
        self.dropout, self.dense = keras.layers.Dropout(0.5), keras.layers.Dense(4)
        self.dense.build(shape)
        self.w = tf.Variable(tf.random_normal_initializer()((4,)) + tf.reduce_mean(self.dense.kernel))


class Catches(Layer):
    def build(self, shape):
        try:
            self.one = tf.constant(2.0) * 3.0
        except Exception as error:
            print("caught", type(error).__name__)
        self.w = self.add_weight(shape=(4,), initializer="glorot_normal")


class Assigns(Layer):
    def build(self, shape):
        self.w = self.add_weight(shape=(4,), initializer="glorot_normal")
        self.w.assign(self.w * 2)


for kind in (Draws, DrawsLate, Catches, Assigns):
    layer = kind()

    @tf.function
    def step(x):
        return tf.reduce_mean(layer(x) + tf.random.normal((2, 4)))

    print(kind.__name__, [float(step(tf.ones((2, 4)))).hex() for _ in range(2)], random.random(), keras.layers.Dense(2).name)
"""


@pytest.mark.suite
@pytest.mark.skipif(has_keras_2(), reason="Keras 2 builds layers outside of the trace, plainly")
def test_a_build_that_is_left_to_the_trace_has_left_nothing_in_its_graph(lab):  # noqa: F811
    """What is drawn in a graph depends on how many operations it has: initial values were others in the start that learns."""
    laboratory = lab(UNDONE)
    plain = laboratory.plain()
    assert laboratory.boost().out == plain.out


CHANCE_ELSEWHERE = """
import random
import numpy as np
import tensorflow as tf
from tensorflow import keras
keras.utils.set_random_seed(7)


class Layer(keras.layers.Layer):
    def build(self, shape):
        print("building", shape)
        self.w = self.add_weight(shape=(shape[-1], 3), initializer="glorot_uniform")

    def call(self, x):
        return tf.tanh(x @ self.w) + tf.math.log(2.0)


def chance():
    return random.random(), np.random.rand()


layer = Layer()


@tf.function
def step(x):
    return tf.reduce_mean(layer(x))


print([float(step(tf.ones((2, 4)))).hex() for _ in range(2)], chance())
"""


@pytest.mark.suite
@pytest.mark.skipif(has_keras_2(), reason="Keras 2 builds layers outside of the trace, plainly")
def test_where_the_programs_streams_stand_is_no_change_elsewhere(lab):  # noqa: F811
    check_replayed(lab(CHANCE_ELSEWHERE), ["step"])


SET_BEFORE_IT_IS_BUILT = """
import keras
import numpy
import tensorflow as tf

class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(4)
        self.traces = 0
        self.seen = []

    def call(self, x):
        return self.dense(x)

    def train_step(self, x):
        self.traces += 1
        self.seen.append("step")
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(x) - 1.0))
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables))
        return {"loss": loss}

keras.utils.set_random_seed(1)
net = Net()
net.compile("adam")
print(net.fit(numpy.ones((8, 3), "float32"), epochs=2, verbose=0).history, net.traces, list(net.seen))
"""


def test_what_a_trace_sets_on_what_it_builds_after_that(lab):  # noqa: F811
    """The build has not set it: before the trace it was what it was before both."""
    check_replayed(lab(SET_BEFORE_IT_IS_BUILT), ["train_function" if has_keras_2() else "multi_step_on_iterator"])
