"""Whose an exception is: a signal's handler may raise whatever it likes, in the middle of code of ours."""

import gc
import signal
import weakref

import pytest

from firststep_agent.signals import is_theirs


class Held:
    """Can be referred to weakly."""


def fails(what):
    raise OSError(what)


def caught(what):
    """What a function of ours has in its hand when it asks."""
    held = Held()
    try:
        fails(what)
    except OSError as error:
        if is_theirs(error):
            raise
    return weakref.ref(held)


def test_who_asks_is_held_by_nothing_afterwards():
    """Else what the program lets go would be there until the collector comes."""
    gc.collect()
    gc.disable()
    try:
        assert caught("full")() is None
    finally:
        gc.enable()


class Handler:
    def __call__(self, *given):
        fails("theirs")


HANDLERS = [lambda number, frame: fails("theirs"), lambda *given: fails("theirs"), Handler()]


@pytest.mark.parametrize("handler", HANDLERS, ids=["a function", "of any arguments", "an object"])
def test_what_a_handler_raises_is_the_programs(handler):
    before = signal.signal(signal.SIGUSR1, handler)
    try:
        signal.raise_signal(signal.SIGUSR1)
    except OSError as error:
        assert is_theirs(error)
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_what_fails_by_itself_is_ours():
    try:
        fails("ours")
    except OSError as error:
        assert not is_theirs(error)
