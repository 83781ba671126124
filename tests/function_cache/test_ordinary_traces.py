"""What ordinary programs do while they are traced is no reason to refuse them."""

import re
import textwrap

import pytest

from programs import has_keras_2
from replay_harness import check_replayed, lab  # noqa: F401

pytestmark = pytest.mark.tensorflow

FUNCTIONS = """
    def super_(x): return sub.scaled(x)
    def globals_(x): return x * globals()["settings"].scale
    def locals_(x): factor = 2.0; return x * locals()["factor"]
    def vars_(x): return x * vars(settings)["scale"]
    def eval_(x): return x * eval("1 + 1")
    def versions(x): return x * (1.0 if sys.version_info >= (3, 8) else 2.0) + sys.float_info.dig + sys.flags.optimize
    def system(x): return x * (1.0 if platform.system() == "Linux" else 2.0) + len(machine.sysname)
    def copied(x): own = copy.deepcopy(config); own.scale += 1; return x * own.scale
    def described(x): return x * len(dataclasses.asdict(config)) * dataclasses.replace(config, scale=5.0).scale
    def pair(x): return Pair(x, x * 2)._replace(second=x * 3)
    def typed(x): return Result(x, x + 1)
    def text(x): return x * len(textwrap.dedent("  a")) * len(re.findall(r"\\d", "a1b2")) * len(string.Template("$a").substitute(a="zz"))
    def printed(x): tf.print("value", x, output_stream=sys.stdout); return x
    def said(x): print("tracing", x.shape, file=sys.stdout, flush=True); return x
    def encoded(x): return x * len(sys.stdout.encoding)
    def warned(x): warnings.warn("traced"); return x
    def read(x): return x * json.loads(pathlib.Path("settings.json").read_text())["scale"]
    def asked(x): return x * float(os.environ.get("SCALE", "2.0"))
    def summed(x): return tf.add_n([x * value for _, value in sorted(WEIGHTS.items(), key=operator.itemgetter(1))])
    def seeded(x): return x * np.random.default_rng(1).random(3, dtype="f4")
    def cached(x): return x * member.big
    def scanned(x): return tf.scan(lambda a, b: a + b, x), tf.map_fn(lambda row: row * 2, x), tf.vectorized_map(lambda row: row + 1, x)
    def checked(x): assert x.shape.rank == 2; tf.debugging.assert_shapes([(x, ("b", 3))]); return x
    def locked(x):
        with lock: return x * 2
    def drawn(x): return tf.random.stateless_uniform((3,), (1, 2)) + x
    def flagged(x): return x * flags.FLAGS.scale
    def moved(x): return six.moves.reduce(lambda one, other: one + other, [x, x])
"""
PROGRAM = """
import collections, copy, dataclasses, functools, json, operator, os, pathlib, platform, re, string, sys, textwrap, threading, types, typing, warnings
import numpy as np, six, tensorflow as tf
from absl import flags

flags.DEFINE_float("scale", 2.0, "by how much")
flags.DEFINE_boolean("?", False, "as absl.app does")
flags.FLAGS(["program"])

@dataclasses.dataclass
class Config:
    scale: float = 2.0
    names: list = dataclasses.field(default_factory=list)

class Base:
    def scaled(self, x):
        return x * 2

class Sub(Base):
    def scaled(self, x):
        return super().scaled(x) + 1

class Member:
    @functools.cached_property
    def big(self):
        return np.arange(3, dtype="f4")

class Result(typing.NamedTuple):
    first: tf.Tensor
    second: tf.Tensor

Pair = collections.namedtuple("Pair", "first second")
WEIGHTS = {"l2": 0.2, "l1": 0.1}
config, sub, member, settings, lock, machine = Config(), Sub(), Member(), types.SimpleNamespace(scale=1.5), threading.Lock(), os.uname()
member.big
pathlib.Path("settings.json").write_text('{"scale": 0.5}')
FUNCTIONS

for name, value in list(globals().items()):
    if type(value) is types.FunctionType:
        print(name, tf.nest.map_structure(lambda each: each.numpy().tolist(), tf.function(value)(tf.reshape(tf.range(6.0), (2, 3)))))
"""


ONCE_REFUSED = "super_ globals_ eval_ versions copied pair text printed flagged moved".split()


def _check(laboratory, chosen):
    """All those of FUNCTIONS that are `chosen`."""
    functions = re.split(r"\n(?=def )", textwrap.dedent(FUNCTIONS).strip())
    names = {function.split("(")[0].split()[1]: function for function in functions}
    check_replayed(laboratory(PROGRAM.replace("FUNCTIONS", "\n".join(names[name] for name in chosen or names))), functions=[*(chosen or names)])


@pytest.mark.suite
def test_what_was_once_refused_is_learned_confirmed_and_answered(lab):  # noqa: F811
    _check(lab, ONCE_REFUSED)


@pytest.mark.suite
def test_each_is_learned_confirmed_and_answered(lab):  # noqa: F811
    _check(lab, None)


EMBEDDINGS = """
import tensorflow as tf

table, other = tf.Variable(tf.reshape(tf.range(800.0), (50, 16))), tf.Variable(tf.reshape(tf.range(160.0), (10, 16)))
weights, biases = tf.Variable(tf.ones((5, 16))), tf.Variable(tf.zeros((5,)))

@tf.function
def look_up(ids):
    return tf.nn.embedding_lookup(table, ids) + tf.nn.embedding_lookup(other, ids)

@tf.function
def step(ids):
    with tf.GradientTape() as tape:
        found = tf.nn.embedding_lookup(table, ids)
        loss = tf.reduce_mean(tf.nn.sampled_softmax_loss(weights, biases, tf.cast(ids[:, None] % 5, tf.int64), found, 2, 5, seed=3))
    weights.assign_sub(tf.convert_to_tensor(tape.gradient(loss, weights)))
    return loss

ids = tf.constant([1, 2, 3])
print(look_up(ids).numpy().tolist(), [float(step(ids)).hex() for _ in range(3)])
"""


@pytest.mark.suite
def test_what_runs_beside_a_variable_that_is_numbered_by_the_process(lab):  # noqa: F811
    check_replayed(lab(EMBEDDINGS), functions=["look_up", "step"])


LISTS = """
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(1)


class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = [keras.layers.Dense(4, activation="relu") for _ in range(3)]
        self.states = []

    def call(self, x):
        self.states = []
        for layer in self.hidden:
            x = layer(x)
            self.states.append(x)
        return x


class Holder(tf.Module):
    def __init__(self):
        self.w = tf.Variable(2.0)

    @tf.function
    def step(self, x):
        y = x * self.w
        made = [y, {"y": y, "n": 3}, (y, None, "s")]
        made.append(made[1])
        object.__setattr__(self, "made", made)
        object.__setattr__(self, "again", made)
        self.spec = (tf.TensorSpec((None, 2)), x.shape)
        return y

    @tf.function
    def leads_to_itself(self, x):
        made = [x]
        made.append(made)
        object.__setattr__(self, "made", made)
        return x * 2.0


model = Model()
model(tf.ones((1, 3)))
kind = type(model.states)

@tf.function
def step(x):
    return tf.reduce_sum(model(x))

print(float(step(tf.ones((8, 3)))), type(model.states) is kind, [(s.shape, s.name) for s in model.states], getattr(model.states, "tracker", None) is getattr(model, "_tracker", None))
holder = Holder()
print(float(holder.step(tf.constant(1.0))), type(holder.made), holder.made is holder.again, holder.made[1] is holder.made[3], holder.made[1]["n"],
      holder.made[0] is holder.made[1]["y"] is holder.made[2][0], holder.made[0].name, holder.made[2][1:], holder.spec)
for use in (lambda: holder.made[0] + 1, lambda: holder.made[0].op.inputs[0].name):
    try:
        print(use())
    except Exception as error:
        print(type(error).__name__)
holder.made.append(7)
print(len(holder.again), float(holder.leads_to_itself(tf.constant(1.0))), holder.made[1] is holder.made)
"""


@pytest.mark.suite
def test_lists_and_dictionaries_that_a_trace_makes(lab):  # noqa: F811
    check_replayed(lab(LISTS), functions=["step"] if has_keras_2() else ["step", "step"])


def test_what_operations_return_by_name_is_returned_and_the_default_strategy_may_be_open(lab):  # noqa: F811
    """Keras 2 opens that around all that it does: TensorFlow's creator of variables in it does nothing of its own."""
    check_replayed(lab(textwrap.dedent("""
        import tensorflow as tf

        @tf.function
        def both(x):
            return tf.unique(x), tf.nn.top_k(x, k=2), tf.nn.moments(tf.cast(x, tf.float32), 0)

        for _ in range(2):
            with tf.distribute.get_strategy().scope():
                found = both(tf.constant([3, 1, 3, 2]))
            print(found, type(found[0]).__name__, found[0].idx, found[1].indices)
    """)), functions=["both"])


@pytest.mark.suite
def test_of_two_functions_that_share_their_code_one_may_be_refused(lab):  # noqa: F811
    """Which of them it is, only the trace shows: what is noted of the one must not hold for the other."""
    laboratory = lab(textwrap.dedent("""
        import random
        import tensorflow as tf

        class Layer:
            def __init__(self, name, draws): self.name, self.draws = name, draws
            def of(self, x): return x * (random.random() if self.draws else 2.0)

        def make(layer):
            @tf.function
            def step(x):
                return layer.of(x)
            return step

        random.seed(1)
        drawing, plain = make(Layer("drawing", True)), make(Layer("plain", False))
        print(float(drawing(tf.constant(1.0))), float(plain(tf.constant(1.0))))
    """))
    want = laboratory.plain().out
    for _ in range(2):
        assert laboratory.boost({"goes_on": True}).out == want
    for _ in range(2):
        ran = laboratory.boost({"goes_on": True})
        assert ran.out == want and ran.functions("live") == ["step"]


@pytest.mark.suite
def test_functions_of_tensorflows_older_kind_and_limits_of_types(lab):  # noqa: F811
    """`ctc_loss` makes its loops by `Defun`; limits of types are kept by NumPy and ml_dtypes from when they are first asked for."""
    check_replayed(lab(textwrap.dedent("""
        import numpy as np, tensorflow as tf

        logits = tf.Variable(tf.random.stateless_normal((2, 6, 5), (1, 2)))

        @tf.function
        def step(labels):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.nn.ctc_loss(labels, logits, [2, 1], [6, 5], logits_time_major=False, blank_index=-1))
            logits.assign_sub(tape.gradient(loss, logits))
            return loss

        @tf.function
        def limits(x):
            return x * tf.bfloat16.max, x * tf.float16.min, x * np.finfo("complex64").eps, x * float(np.finfo("longdouble").eps)

        print([float(step(tf.constant([[1, 2], [3, 0]]))) for _ in range(2)], limits(tf.constant(2.0)))
    """)), functions=["step", "limits"])


def test_a_model_that_is_compiled_and_trained_again_has_both_its_steps_answered(lab):  # noqa: F811
    """What the second trace is the last to hold (context managers, partials of Keras's) is gone after it, and is there after an answer:
    nobody can tell."""
    laboratory = lab(textwrap.dedent("""
        import numpy as np, tensorflow as tf
        from tensorflow import keras
        keras.utils.set_random_seed(3)
        x, y = np.ones((32, 4), "f"), np.ones((32, 1), "f")
        model = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(8), keras.layers.Dense(1)])
        for how in (("sgd", "mse"), ("adam", "mae")):
            model.compile(*how)
            print(model.fit(x, y, verbose=0).history)
    """))
    plainly = laboratory.plain().out
    assert laboratory.learned().out == plainly
    ran = laboratory.boost()
    assert ran.out == plainly
    steps = ran.functions("live")
    assert len(steps) == 2 and len(set(steps)) == 1 and not ran.functions("refused")


OWN_GRADIENTS = """
import tensorflow as tf

@tf.custom_gradient
def clipped(x):
    def grad(upstream):
        return tf.clip_by_norm(upstream, 0.5)
    return tf.identity(x), grad

weight = tf.Variable(tf.ones((3, 2)))

@tf.function
def train(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.map_fn(clipped, x) @ weight) ** 2)
    weight.assign_sub(0.01 * tape.gradient(loss, weight))
    return loss

@tf.function
def test(x):
    return tf.reduce_sum(tf.map_fn(clipped, x) @ weight)

for _ in range(2):
    print(float(train(tf.ones((4, 3)))), float(test(tf.ones((4, 3)))))
"""


def test_what_autograph_notes_on_a_function_with_a_gradient_of_its_own_is_no_effect(lab):  # noqa: F811
    check_replayed(lab(OWN_GRADIENTS), ["train", "test"])


PUTS_THERE = OWN_GRADIENTS.partition("weight =")[0] + """
def others(x):
    return x * 3

@tf.function
def step(x):
    clipped.__wrapped__ = others
    return tf.reduce_sum(clipped(x))

print(float(step(tf.ones(3))), clipped.__wrapped__ is others, float(clipped.__wrapped__(2.0)))
"""


def test_what_the_program_puts_on_such_a_function_while_it_is_traced_is_there(lab):  # noqa: F811
    check_replayed(lab(PUTS_THERE), [])
