"""What a program notes of the run it is (a name, a number, a folder) is another in each start, and no reason to trace anew."""

import textwrap

import pytest

from replay_harness import check_replayed, lab  # noqa: F401

pytestmark = pytest.mark.tensorflow

OWNERS = """
import abc, argparse, dataclasses, os, sys, time, types, uuid
import tensorflow as tf

RUN = uuid.uuid4().hex
OF_RUNS = dict(name=f"run-{RUN}", id=RUN, path=f"/nowhere/{RUN}", dir=RUN, log=RUN, time=time.time_ns(), start=time.time(), pid=os.getpid(),
               seed=time.time_ns() % 1000, output=RUN, value=RUN, shape=RUN, dtype=RUN, version=RUN)

class Plain:
    def __init__(self):
        vars(self).update(OF_RUNS)
        self.scale = 2.

class Below(abc.ABC, Plain):
    pass

@dataclasses.dataclass
class Noted:
    name: str = OF_RUNS["name"]
    id: str = OF_RUNS["id"]
    scale: float = 2.

helper = types.ModuleType("helper")
vars(helper).update({name: value for name, value in OF_RUNS.items()}, scale=2.)

class Owner(Plain):
    def __init__(self, settings):
        super().__init__()
        self.settings = settings

    @tf.function
    def step(self, x):
        return x * self.settings.scale * self.scale

for settings in (Plain(), Below(), Noted(), helper, types.SimpleNamespace(**OF_RUNS, scale=2.), argparse.Namespace(**OF_RUNS, scale=2.)):
    owner = Owner(settings)
    print(owner.step(tf.ones(3)).numpy().tolist())
"""


def test_what_the_owner_of_a_step_notes_of_its_run_is_no_part_of_what_is_traced(lab):  # noqa: F811
    check_replayed(lab(OWNERS), functions=["step"] * 6)


OF_LIBRARIES_CLASSES = """
import time, uuid
import keras
import numpy
import tensorflow as tf

RUN = uuid.uuid4().hex
STARTED = time.time()

class Noting:
    def note(self):
        vars(self).update(run=RUN, start=STARTED, tag=RUN, version=RUN, date=RUN, stats={"time": STARTED}, noted=[STARTED, RUN])
        return self

class Loss(Noting):
    __name__ = "weighted"

    def __call__(self, wanted, got):
        return 2.0 * tf.reduce_mean(tf.square(wanted - got))

class Block(keras.layers.Layer, Noting):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(3)

    def build(self, shape):
        self.dense.build(shape)

    def call(self, x):
        return tf.nn.relu(self.dense(x))

class Net(keras.Model, Noting):
    where = RUN

    def __init__(self):
        super().__init__()
        self.block, self.out = Block().note(), keras.layers.Dense(1)
        self.note()

    def call(self, x):
        return self.out(self.block(x))

class Module(tf.Module, Noting):
    def __init__(self):
        super().__init__()
        self.v = tf.Variable(2.0)
        self.note()

    @tf.function
    def step(self, x):
        return x * self.v

keras.utils.set_random_seed(1)
model, module = Net(), Module()
model.compile("sgd", Loss().note())
print(model.fit(numpy.ones((8, 3)), numpy.ones((8, 1)), verbose=0).history)
print(model.predict(numpy.ones((2, 3)), verbose=0), module.step(tf.ones(3)).numpy())
"""


def test_nor_is_what_an_object_below_a_librarys_class_notes(lab):  # noqa: F811
    check_replayed(lab(OF_LIBRARIES_CLASSES), at_least=["step"])


BY_NAMES = """
import dataclasses, uuid
import keras
import tensorflow as tf

@dataclasses.dataclass
class Settings:
    activation: str = "relu"
    scale: float = 2.0

class Trainer:
    def __init__(self):
        self.settings, self.run = Settings(), uuid.uuid4().hex

    @tf.function
    def of_a_module(self, x):
        return getattr(tf.nn, self.settings.activation)(x) + getattr(keras.activations, self.settings.activation)(x)

    @tf.function
    def constant(self, x):
        return x * getattr(self.settings, "scale", 1.0) * (3.0 if hasattr(self.settings, "clip") else 1.0)

    @tf.function
    def of_a_text(self, x):
        return x * len(self.settings.activation.replace("e", "oo"))

    @tf.function
    def of_fields(self, x):
        for field in dataclasses.fields(self.settings):
            x += len(field.name)
        return x

    @tf.function
    def replaced(self, x):
        return x * dataclasses.replace(self.settings, activation="elu").scale + len(dataclasses.asdict(self.settings))

trainer = Trainer()
for step in (trainer.of_a_module, trainer.constant, trainer.of_a_text, trainer.of_fields, trainer.replaced):
    print(step(tf.ones(3)).numpy().tolist())
"""


def test_who_reads_by_a_constant_name_or_from_a_framework_reads_nothing_else_of_it(lab):  # noqa: F811
    check_replayed(lab(BY_NAMES), functions=["of_a_module", "constant", "of_a_text", "of_fields", "replaced"])


NAMED = """
import functools, inspect, operator, os, uuid
import tensorflow as tf

take, READERS = getattr, {"get": getattr}

class Owner:
    def __init__(self):
        self.name = uuid.uuid4().hex[:int(os.environ.get("LENGTH", "5"))]
        self.scale = 2.

    @tf.function
    def step(self, x):
        return x * self.scale * len(HOW)

owner = Owner()
print(owner.step(tf.ones(3)).numpy().tolist())
"""


@pytest.mark.parametrize("how", ["self.name", *(pytest.param(how, marks=pytest.mark.suite) for how in (
    "getattr(self, ''.join(['na', 'me']))", "vars(self)[''.join(['na', 'me'])]", "take(self, ''.join(['na', 'me']))",
    "READERS['get'](self, ''.join(['na', 'me']))", "inspect.getattr_static(self, ''.join(['na', 'me']))",
    "functools.reduce(getattr, ['na' + 'me'], self)", "operator.attrgetter(''.join(['na', 'me']))(self)"))])
def test_what_the_programs_own_code_reads_of_it_counts(lab, monkeypatch, how):  # noqa: F811
    laboratory = lab(NAMED.replace("HOW", how))
    for _ in range(3):
        assert laboratory.boost().out == laboratory.plain().out == "[10.0, 10.0, 10.0]\n"
    monkeypatch.setenv("LENGTH", "7")
    for _ in range(3):
        changed = laboratory.boost()
        assert changed.out == laboratory.plain().out == "[14.0, 14.0, 14.0]\n" and not changed.functions("live"), changed.notes


CELL = """
import os
import keras
import tensorflow as tf

class Cell:
    def __init__(self, units):
        self.state_size, self.output_size, self.compute_dtype = units, units, "float32"

    def call(self, inputs, states):
        raise AssertionError("it is called as a layer")

    def __call__(self, inputs, states, **options):
        made = tf.tile(tf.reduce_sum(inputs, -1, keepdims=True), [1, tf.shape(states[0])[-1]]) + states[0]
        return made, [made]

layer = keras.layers.RNN(Cell(int(os.environ.get("UNITS", "3"))))

@tf.function
def step(x):
    return layer(x)

print(step(tf.ones((2, 4, 5))).numpy().tolist())
"""


@pytest.mark.suite
def test_what_a_framework_alone_reads_of_an_object_of_the_programs_is_never_wrong(lab, monkeypatch):  # noqa: F811
    laboratory = lab(textwrap.dedent(CELL))
    check_replayed(laboratory, functions=["step"])
    monkeypatch.setenv("UNITS", "6")
    assert laboratory.boost().out == laboratory.plain().out
    monkeypatch.delenv("UNITS")
    assert laboratory.boost().out == laboratory.plain().out


UNUSED = """
import dataclasses, datetime, os, tempfile, uuid
import tensorflow as tf

LOGS = "logs/" + datetime.datetime.now().isoformat() + uuid.uuid4().hex
log = open(os.path.join(tempfile.mkdtemp(), "log.txt"), "w")
FACTOR = float(os.environ.get("FACTOR", "2"))

@dataclasses.dataclass
class Settings:
    name: str = LOGS
    scale: float = 2.0

class Trainer:
    folder = LOGS

    def __init__(self):
        self.settings, self.weights = Settings(), tf.Variable(tf.ones(3))

    def save(self, folder=LOGS):
        print(folder, LOGS, file=log)

    def note(self, what):
        log.write(what)

    def scaled(self, x):
        return x * FACTOR

    @tf.function
    def step(self, x):
        self.weights.assign_add(self.scaled(x) * self.settings.scale)
        return tf.reduce_sum(self.weights)

trainer = Trainer()
print([float(trainer.step(tf.ones(3))) for _ in range(3)])
trainer.save()
trainer.note("done")
"""


def test_what_methods_name_that_do_not_run_is_no_part_of_what_is_traced(lab, monkeypatch):  # noqa: F811
    laboratory = lab(UNUSED)
    check_replayed(laboratory, functions=["step"])
    monkeypatch.setenv("FACTOR", "3")  # what one names that runs is
    changed = laboratory.boost()
    assert changed.out == laboratory.plain().out == "[21.0, 39.0, 57.0]\n" and not changed.functions("live"), changed.notes


OF_LIBRARIES = """
import linecache
import attr
import tensorflow as tf

@attr.define
class Settings:  # its methods reach code of attrs that fills `linecache.cache` when a class is made
    scale: float = 2.0

class Trainer:
    def __init__(self):
        self.settings = Settings()

    def unused(self):
        linecache.cache["mine"] = 1

    @tf.function
    def step(self, x):
        CHANGES
        return x * self.settings.scale

trainer = Trainer()
print(trainer.step(tf.ones(3)).numpy().tolist(), "mine" in linecache.cache)
"""


OF_A_MODEL = """
import attr
import keras
import numpy as np

@attr.define
class Settings:
    width: int = 4

class Net(keras.Model):
    def __init__(self, settings):
        super().__init__()
        self.settings, self.dense, self.out = settings, keras.layers.Dense(settings.width), keras.layers.Dense(1)

    def call(self, x):
        return self.out(self.dense(x)) * self.settings.width

keras.utils.set_random_seed(1)
model = Net(Settings())
model.compile("sgd", "mse")
print(model.fit(np.ones((8, 3)), np.ones((8, 1)), verbose=0).history)
"""


@pytest.mark.suite
def test_what_a_library_keeps_for_itself_is_no_change_of_the_programs(lab):  # noqa: F811
    check_replayed(lab(OF_A_MODEL), at_least=["multi_step_on_iterator"])


@pytest.mark.suite
def test_but_what_the_program_puts_there_is(lab):  # noqa: F811
    laboratory = lab(OF_LIBRARIES.replace("CHANGES", "linecache.cache['mine'] = (1, None, ['text'], 'mine')"))
    for _ in range(4):
        assert laboratory.boost().out == laboratory.plain().out == "[2.0, 2.0, 2.0] True\n"


GROWS = """
import collections, json, os
import tensorflow as tf

runs = json.load(open("runs")) if os.path.exists("runs") else []
runs.append({"number": len(runs), "tags": ["a"] * len(runs)})
with open("runs", "w") as file:
    json.dump(runs, file)

class Owner:
    def __init__(self):
        self.state = {"runs": runs, "by number": {each["number"]: each for each in runs}, "last": collections.deque(range(len(runs)))}
        self.pairs = [(each["number"], {}) for each in runs]

    @tf.function
    def step(self, x):
        return x * 2

print(Owner().step(tf.ones(3)).numpy().tolist())
"""


def test_a_list_of_all_starts_so_far_has_one_item_more_in_each(lab):  # noqa: F811
    laboratory = lab(GROWS)
    assert laboratory.boost().functions("learned") == ["step"]
    assert laboratory.boost().functions("confirmed") == ["step"]
    for _ in range(3):
        answered = laboratory.boost()
        assert answered.out == "[2.0, 2.0, 2.0]\n" and answered.functions("live") == ["step"], answered.notes


LOOKED_INTO = """
import inspect, os
import tensorflow as tf

FACTOR = float(os.environ.get("FACTOR", "2"))

def other(x, by=float(os.environ.get("FACTOR", "2"))):
    return x * FACTOR

@tf.function
def step(x):
    return x * HOW

print(step(tf.ones(3)).numpy().tolist())
"""


@pytest.mark.suite
@pytest.mark.parametrize("how", ["other.__globals__['FACTOR']", "other.__defaults__[0]", "inspect.signature(other).parameters['by'].default",
                                 "eval('FACTOR')", "globals()['FACTOR']"])
def test_who_looks_into_a_function_that_does_not_run_reads_it(lab, monkeypatch, how):  # noqa: F811
    laboratory = lab(LOOKED_INTO.replace("HOW", how))
    for _ in range(3):
        assert laboratory.boost().out == laboratory.plain().out == "[2.0, 2.0, 2.0]\n"
    monkeypatch.setenv("FACTOR", "3")
    for _ in range(3):
        changed = laboratory.boost()
        assert changed.out == laboratory.plain().out == "[3.0, 3.0, 3.0]\n"


READ_ALL_THE_SAME = """
import dataclasses, os, types, typing, uuid
import attr
import keras
import tensorflow as tf

class Plain:
    def __init__(self, **values):
        vars(self).update(values, run=uuid.uuid4().hex)

@dataclasses.dataclass
class Sized:
    size: int
    run: str = dataclasses.field(default_factory=lambda: uuid.uuid4().hex)

@attr.s
class Pair:
    one = attr.ib()
    two = attr.ib(factory=lambda: tf.ones(3))

@typing.runtime_checkable
class Scaled(typing.Protocol):
    factor: float

changed = os.environ.get("CHANGED", "") == "1"
kept = Plain(typed=Plain(dtype="int32" if changed else "float64"), named=Plain(name="int32" if changed else "float64"),
             sized=Plain(by=Sized(7 if changed else 6)), one=Plain(by=types.SimpleNamespace(a=2 if changed else 1)),
             other=Plain(by=types.SimpleNamespace(a=1)), scaled=Plain(by=Plain(**({"factor": 1.0} if changed else {}))),
             pair=Plain(by=Pair(tf.ones(3) * (2 if changed else 1))))

@tf.function
def cast(x):
    return tf.cast(x, kept.typed)

@tf.function
def cast_by_keras(x):
    return keras.ops.cast(x, kept.named)

@tf.function(autograph=False)
def matched(x):
    match kept.sized.by:
        case Sized(6):
            return x + 1
        case _:
            return x + 2

@tf.function(autograph=False)
def compared(x):
    return x + (1 if kept.one.by == kept.other.by else 2)

@tf.function(autograph=False)
def protocol(x):
    return x + (1 if isinstance(kept.scaled.by, Scaled) else 2)

@tf.function(autograph=False)
def nested(x):
    return sum(tf.nest.flatten(kept.pair.by)) + x

for function in (cast, cast_by_keras, matched, compared, protocol, nested):
    print(function(tf.ones(3)))
"""


@pytest.mark.suite
def test_what_is_read_by_a_way_that_names_nothing_stops_no_start(lab, monkeypatch):  # noqa: F811
    laboratory = lab(READ_ALL_THE_SAME)
    check_replayed(laboratory, at_least=["cast", "compared", "protocol"])
    for changed in ("1", "0"):
        monkeypatch.setenv("CHANGED", changed)
        plain = laboratory.plain()
        for _ in range(4):
            ran = laboratory.boost()
            assert ran.out == plain.out, ran.notes


READ_BY_C = """
import csv, uuid
import tensorflow as tf

class Owner:
    def __init__(self, dialect):
        self.run = uuid.uuid4().hex
        self.dialect = dialect

def dialects(sign):
    class Dialect(csv.excel):
        run = uuid.uuid4().hex
        delimiter = sign

    class Plain:
        run = uuid.uuid4().hex
        delimiter, quotechar, quoting, lineterminator = sign, '"', csv.QUOTE_MINIMAL, "\\n"

    class Alone:
        quotechar, quoting, lineterminator = '"', csv.QUOTE_MINIMAL, "\\n"

        def __init__(self):
            self.run, self.delimiter = uuid.uuid4().hex, sign

    set_later, set_below = csv.excel(), Dialect()
    set_later.delimiter = set_below.delimiter = sign
    set_below.run = uuid.uuid4().hex
    return Dialect, set_below, set_later, Plain, Plain(), Alone()

def stepped(owner):
    @tf.function(autograph=False)
    def step(x):
        return x * len(next(csv.reader(["a,b"], dialect=owner.dialect)))
    return step

def run(sign):
    for dialect in dialects(sign):
        print(stepped(Owner(dialect))(tf.ones(3)).numpy().tolist())

run(open("sign").read())
"""


@pytest.mark.suite
def test_what_c_alone_reads_by_name_counts(lab):  # noqa: F811
    laboratory = lab(READ_BY_C)
    for sign in ",,,;;,":
        (laboratory.program.parent / "sign").write_text(sign)
        ran = laboratory.boost()
        assert ran.out == laboratory.plain().out and len(set(ran.out.split("\n"))) == 2, ran.notes
