"""A trace recurses as deep as plainly, whatever frames of firststep stand below it."""

import sys
import threading

import pytest
from replay_harness import lab  # noqa: F401

from firststep_agent.boost.cache_functions import stack_room

DEPTHS = """
import sys
import tensorflow as tf
tf.random.set_seed(1)

def deeper(n):
    try:
        return deeper(n + 1)
    except RecursionError:
        return n

@tf.function(autograph=False)
def inner(x):
    print("inner", deeper(0))
    return x * 2

@tf.function(autograph=False)
def step(x):
    print("step", deeper(0), sys.getrecursionlimit())
    return inner(x) + 1

print(float(step(tf.constant(1.))), float(inner(tf.constant(1.))), deeper(0), sys.getrecursionlimit())
"""
WITHOUT_END = """
import traceback
import tensorflow as tf
tf.random.set_seed(1)

def deeper(x):
    return deeper(x)

def nested(n):
    return 0. if n == 0 else nested(n - 1) + 1.

try:
    tf.function(deeper, autograph=False)(tf.constant(1.))
except RecursionError:
    print(traceback.format_exc())

deepest = tf.function(lambda x: x + nested(974), autograph=False)  # fits by less than the frames of ours
print(float(deepest(tf.constant(1.))))
"""


@pytest.mark.tensorflow
@pytest.mark.parametrize("program", [DEPTHS, pytest.param(WITHOUT_END, marks=pytest.mark.suite)])
def test_a_trace_recurses_as_deep_as_plainly(lab, program):  # noqa: F811
    laboratory = lab(program, alone=True)
    plain = laboratory.plain()
    for _ in range(3):
        assert laboratory.boost().out == plain.out


@pytest.fixture
def limit():
    before = sys.getrecursionlimit()
    yield before
    sys.setrecursionlimit(before)


def test_many_traces_at_once_leave_the_limit_as_it_was(limit, monkeypatch):
    monkeypatch.setattr(stack_room, "_ours", lambda: 7)
    room, inside, go_on = stack_room.StackRoom(), threading.Barrier(5), threading.Barrier(5)

    def trace():
        with room():
            inside.wait(30)
            go_on.wait(30)

    threads = [threading.Thread(target=trace) for _ in range(4)]
    for thread in threads:
        thread.start()
    inside.wait(30)
    assert stack_room._limit() == limit + 7 and sys.getrecursionlimit() == limit
    go_on.wait(30)
    for thread in threads:
        thread.join()
    assert sys.getrecursionlimit() == limit


def test_what_the_program_sets_in_a_trace_stays(limit, monkeypatch):
    monkeypatch.setattr(stack_room, "_ours", lambda: 7)
    room = stack_room.StackRoom()
    with room():
        sys.setrecursionlimit(limit + 500)
        with room():
            assert stack_room._limit() == limit + 507 and sys.getrecursionlimit() == limit + 500
    assert sys.getrecursionlimit() == limit + 500


def test_a_limit_that_cannot_be_lowered_this_deep_is_by_the_next_trace(limit, monkeypatch):
    """Python before 3.11 wants 50 frames between the limit and where it is set."""
    monkeypatch.setattr(stack_room, "_ours", lambda: 7)
    room, plainly = stack_room.StackRoom(), sys.setrecursionlimit

    def too_deep(new):
        if new < stack_room._limit():
            raise RecursionError
        plainly(new)

    monkeypatch.setattr(sys, "setrecursionlimit", too_deep)
    with room():
        pass
    assert sys.getrecursionlimit() == limit + 7
    monkeypatch.setattr(sys, "setrecursionlimit", plainly)
    with room():
        assert stack_room._limit() == limit + 7
    assert sys.getrecursionlimit() == limit and sys.getrecursionlimit is stack_room._limit
