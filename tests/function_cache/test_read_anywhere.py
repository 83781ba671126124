"""Code that comes at the program's values by ways that no walk meets: nothing that is another in each start is believed to make no
difference to it."""

import pytest

from replay_harness import lab  # noqa: F401

pytestmark = pytest.mark.tensorflow

PROGRAM = """
import argparse, builtins, copy, dataclasses, functools, gc, importlib, inspect, operator, os, pickle, pkgutil, sys, types, weakref
import tensorflow as tf

with open("run") as file:  # a number that the program keeps, of how often it was started
    RUN_NUMBER = int(file.read())
RUN = "RUN_"
look = eval
me = sys.modules[__name__]

class Held:
    def __init__(self):
        self.number = RUN_NUMBER

class Base:
    weight = 0

class Heavy(Base):
    weight = RUN_NUMBER

def other(number=RUN_NUMBER):
    return RUN_NUMBER

@dataclasses.dataclass(order=True)
class Fields:
    number: int

held, fields = Held(), Fields(RUN_NUMBER)
space, arguments = types.SimpleNamespace(number=RUN_NUMBER), argparse.Namespace(number=RUN_NUMBER)
known = weakref.WeakValueDictionary(held=held)

FUNCTIONS

print(*[float(function(tf.ones(3))) for name, function in sorted(globals().items()) if name.startswith("step_")])
"""
FUNCTION = """
@tf.function(autograph={converted})
def step_{number}(x):
    return tf.reduce_sum(x) * (2. if {way} > 4 else 1.)
"""
WAYS = ["globals()[RUN + 'NUMBER']", "look(RUN + 'NUMBER')", "inspect.currentframe().f_globals[RUN + 'NUMBER']",
        "sys.modules['__' + 'main__'].RUN_NUMBER"]
MORE = ["eval(RUN + 'NUMBER')", "builtins.eval(RUN + 'NUMBER')", "list(map(globals().get, [RUN + 'NUMBER']))[0]",
        "getattr(sys.modules[__name__], RUN + 'NUMBER')", "importlib.import_module('__' + 'main__').RUN_NUMBER",
        "__import__('__' + 'main__').RUN_NUMBER", "other.__globals__[RUN + 'NUMBER']", "held.__init__.__globals__[RUN + 'NUMBER']",
        "functools.partial(other).func.__globals__[RUN + 'NUMBER']", "pkgutil.resolve_name('__main__:' + RUN + 'NUMBER')",
        "inspect.getclosurevars(other).globals[RUN + 'NUMBER']", "[each for each in gc.get_objects() if type(each) is Held][0].number",
        "vars(me)[RUN + 'NUMBER']", "getattr(me, RUN + 'NUMBER')", "me.__dict__[RUN + 'NUMBER']", "operator.attrgetter(RUN + 'NUMBER')(me)",
        "functools.reduce(getattr, [RUN + 'NUMBER'], me)", "dict(inspect.getmembers(me))[RUN + 'NUMBER']",
        "object.__getattribute__(me, RUN + 'NUMBER')", "inspect.getmodule(other).RUN_NUMBER", "other.__defaults__[0]",
        "max(each.weight for each in Base.__subclasses__())", "known['held'].number", "held.__reduce_ex__(2)[2]['num' + 'ber']",
        "next(iter(vars(held).values()))", "(0 if any(type(space)(number=n) == space for n in range(5)) else 5)",
        "(0 if any(type(arguments)(number=n) == arguments for n in range(5)) else 5)", "(5 if Fields(4) < fields else 0)",
        "int(repr(fields).split('=')[1].rstrip(')'))", "sum(dataclasses.astuple(fields))",
        "int(pickle.dumps(held, 0).split(b'number')[1].split(b'I')[1].split()[0])", "sum(copy.copy(held).__dict__.values())",
        "max(pickle.loads(pickle.dumps(held)).__dict__.values())"]


def _check(lab, ways):  # noqa: F811
    functions = "".join(FUNCTION.format(number=f"{number:02}", way=way, converted="frame" not in way) for number, way in enumerate(ways))
    laboratory = lab(PROGRAM.replace("FUNCTIONS", functions))
    for number in range(1, 7):
        (laboratory.program.parent / "run").write_text(str(number))
        assert laboratory.boost().out.split() == ["6.0" if number > 4 else "3.0"] * len(ways)


@pytest.mark.suite
def test_a_number_of_starts_that_decides_in_the_fifth(lab):  # noqa: F811
    _check(lab, WAYS)


@pytest.mark.suite
@pytest.mark.parametrize("way", MORE)
def test_a_number_of_starts_that_decides_in_the_fifth_by_more_ways(lab, way):  # noqa: F811
    _check(lab, [way])


@pytest.mark.suite
def test_what_is_another_in_no_start_is_answered(lab):  # noqa: F811
    laboratory = lab(PROGRAM.replace("FUNCTIONS", FUNCTION.format(number=0, way=WAYS[0], converted=True)))
    (laboratory.program.parent / "run").write_text("1")
    assert laboratory.learned().out == "3.0\n"
    answered = laboratory.boost()
    assert answered.out == "3.0\n" and answered.functions("live") == ["step_0"], answered.notes
