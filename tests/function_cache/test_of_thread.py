"""A `threading.local` whose class is the program's: its `__init__` runs in each thread that asks it, and never because we look."""

import sys
import threading

import pytest
from firststep_agent.boost.objects import of_thread
from replay_harness import lab  # noqa: F401



class Counts(threading.local):
    made = 0

    def __init__(self, start=3):
        type(self).made += 1
        self.value = start


class Below(Counts):
    pass


def in_a_thread(function, *arguments):
    """What it gives there."""
    given = []
    thread = threading.Thread(target=lambda: given.append(function(*arguments)))
    thread.start()
    thread.join()
    return given[0]


@pytest.mark.parametrize("cls", [Counts, Below])
def test_what_has_been_asked_in_this_thread_is_seen(cls):
    one = cls(5)
    one.other = 7
    assert of_thread.held(one) == {"value": 5, "other": 7}
    assert in_a_thread(lambda: one.value and of_thread.held(one)) == {"value": 5}


@pytest.mark.parametrize("cls", [Counts, Below])
def test_what_has_not_stays_unasked(cls):
    one = cls()
    cls.made = 1
    assert in_a_thread(of_thread.held, one) == {}
    assert cls.made == 1


def test_a_plain_one_is_asked():
    one = threading.local()
    one.here = 1
    assert of_thread.held(one) == {"here": 1}
    assert in_a_thread(of_thread.held, one) == {}


def test_what_is_looked_at_stays_referred_to_as_often():
    one = Counts()
    held = of_thread.held(one)
    before = sys.getrefcount(held)
    for _ in range(1000):
        of_thread.held(one)
    in_a_thread(of_thread.held, one)
    assert sys.getrefcount(held) == before


PROGRAM = """
import threading
import tensorflow as tf

class Local(threading.local):
    made = []

    def __init__(self):
        Local.made.append(threading.current_thread().name)
        self.scale = 2.0

local = Local()

@tf.function(autograph=False)  # which asks whatever a function can name
def plain(x):
    return x * 3.0

@tf.function
def asks(x):
    return x * local.scale

def work():
    print(plain(tf.constant(2.0)).numpy(), Local.made)
    print(asks(tf.constant(2.0)).numpy(), Local.made)

worker = threading.Thread(target=work, name="worker")
worker.start()
worker.join()
"""


@pytest.mark.tensorflow
@pytest.mark.parametrize(("of_plain", "first", "answered"), [
    ("(autograph=False)", "['MainThread']", ["plain"]),
    ("", "6.0 ['MainThread', 'worker']", ["asks"]),  # AutoGraph asks the local in its trace, which is then the first to do so
], ids=["nobody asks it", "the trace asks it"])
def test_a_function_that_a_worker_calls_first_makes_nothing_in_it(lab, of_plain, first, answered):  # noqa: F811
    laboratory = lab(PROGRAM.replace("(autograph=False)", of_plain))
    plainly = laboratory.plain().out
    assert first in plainly
    for _ in range(3):
        ran = laboratory.boost()
        assert ran.out == plainly
    assert ran.functions("live") == answered
