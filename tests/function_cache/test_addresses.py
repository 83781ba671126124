"""What a trace makes of an address that a text names is found where it is learned, and not by chance in a later start."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from replay_harness import lab  # noqa: F401

SOURCES = Path(__file__).parents[2] / "src"
TEXTS = """
import sys, weakref
from firststep_agent.boost.cache_functions.proof import addresses

class Plain: pass
class Own(Plain):
    def __repr__(self): return "own " + super().__repr__()
class Below(tuple): pass
def function(): return one
one, other = Plain(), Own()
numbers, listed = (number for number in range(3)), []

def with_address():
    return [repr(one), str(one), f"{one}", "%s" % one, "{}".format(one), str(ValueError(one)), repr([one]), repr({1: one}), repr(other),
            object.__repr__(one), repr(function), repr(function.__get__(one)), repr(listed.append), repr(numbers), repr(function.__code__),
            repr(weakref.ref(one)), repr(one.__init__), repr(Plain.__repr__.__get__(one))]

def without():
    return [repr(3), repr("0xabcdef12"), repr(len), repr(Plain), repr(sys), repr(Below((1, 2))), repr(None), hex(1 << 40)]

before, same = with_address(), without()
addresses.disguise()
after = with_address()
assert without() == same, without()
assert [one for one, other in zip(before, after) if one == other] == []
some = sorted((Plain() for _ in range(100)), key=id)
assert sorted(some, key=repr) != some
assert repr(type("Later", (), {})()) != ""
print("told")
"""
PROGRAM = """
    import tensorflow as tf

    class Thing: pass

    things = [Thing(), Thing()]
    for number, thing in enumerate(things):
        thing.number = float(number)

    @tf.function
    def ordered(x): return x * sorted(things, key=str)[0].number

    @tf.function
    def by_a_bit(x): return x * (2.0 if int(f"{things[0]}".split("0x")[1][:-1], 16) >> 24 & 1 else 3.0)

    @tf.function
    def only_made(x): return x * float(len(str(things[0])[:4]))

    for function in (ordered, by_a_bit, only_made):
        print(function(tf.constant(1.0)).numpy())
"""


def test_each_object_tells_of_another_address():
    ran = subprocess.run([sys.executable, "-c", TEXTS], env={"PYTHONPATH": str(SOURCES)}, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "told\n"), ran.stderr


@pytest.mark.tensorflow
def test_a_trace_that_depends_on_one_is_not_learned(lab):  # noqa: F811
    learned = lab(textwrap.dedent(PROGRAM)).boost()
    assert sorted(learned.functions("refused")) == ["by_a_bit", "ordered"], learned.notes
    assert learned.functions("learned") == ["only_made"], learned.notes
