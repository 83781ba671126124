"""What an object is, asked past what its class makes of the question."""

import asyncio
import subprocess
from pathlib import Path

import pytest
from programs import supported_interpreters

import firststep_agent
from firststep_agent import kinds


class Named:
    """Has a descriptor for its dictionary."""


class Waiting(Named, asyncio.Future):
    """Below a class of C, too, that keeps a dictionary and, before Python 3.12, has no descriptor for it: so are the dictionaries that
    TensorFlow 2.15 tracks, by wrapt's proxies."""


def test_the_dictionary_of_what_stands_below_a_class_that_hides_its_own():
    loop = asyncio.new_event_loop()
    waiting = Waiting(loop=loop)
    waiting.name = "x"
    loop.close()
    assert kinds.own(waiting) == {"name": "x"}


MAY_BE_WEAK = """
import sys
sys.path.insert(0, sys.argv[1])
from firststep_agent import kinds

class Plain:
    def method(self):
        pass

class Slots:
    __slots__ = ()

class Weak:
    __slots__ = ("__weakref__",)

def function():
    pass

print([kinds.may_be_weak(each) for each in (Plain(), Weak(), Plain, function, sys, {1}, Slots(), Plain().method, [], 1)])
"""


@pytest.mark.parametrize("python", supported_interpreters().values())
def test_what_can_be_referred_to_weakly_is_known_in_each_python(python):
    """What cannot is held, and what a program lets go of would stay: Python 3.12 keeps weak references below the object."""
    source = str(Path(firststep_agent.__file__).parents[1])
    ran = subprocess.run([python, "-c", MAY_BE_WEAK, source], capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout.strip() == str([True] * 6 + [False] * 4)
