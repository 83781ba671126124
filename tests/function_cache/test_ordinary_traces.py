"""What ordinary programs do while they are traced is no reason to refuse them."""

import re
import textwrap

import pytest

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
    def moved(x): return six.moves.reduce(lambda one, other: one + other, [x, x])
"""
PROGRAM = """
import collections, copy, dataclasses, functools, json, operator, os, pathlib, platform, re, string, sys, textwrap, threading, types, typing, warnings
import numpy as np, six, tensorflow as tf

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


ONCE_REFUSED = "super_ globals_ eval_ versions copied pair text printed moved".split()


def _check(laboratory, chosen):
    """All those of FUNCTIONS that are `chosen`."""
    functions = re.split(r"\n(?=def )", textwrap.dedent(FUNCTIONS).strip())
    names = {function.split("(")[0].split()[1]: function for function in functions}
    check_replayed(laboratory(PROGRAM.replace("FUNCTIONS", "\n".join(names[name] for name in chosen or names))), functions=[*(chosen or names)])


def test_what_was_once_refused_is_learned_confirmed_and_answered(lab):  # noqa: F811
    _check(lab, ONCE_REFUSED)


@pytest.mark.suite
def test_each_is_learned_confirmed_and_answered(lab):  # noqa: F811
    _check(lab, None)
