"""The function cache at its place in TensorFlow: an error of its own costs nobody a trace, and is never the program's."""

import threading

import pytest

from firststep_agent.boost.cache_functions import hooks, stack_room


class Options:
    name = "step"


class Hook(hooks.Hook):
    """The cache's hook around a trace that is a function of the test's; what it does instead of it is `does(create)`."""

    def __init__(self, does, plain=None):
        self.traces, self.notes, self.does = [], [], does
        self._run = self
        self._under_way = threading.local()
        self._room = stack_room.StackRoom()
        self._plain = plain or self.trace
        self.arguments = object(), None, None, Options()

    def trace(self, *arguments):
        self.traces.append(arguments)
        return f"traced {len(self.traces)}"

    def note(self, remedy, what, **labels):
        self.notes.append((what, labels["reason"]))

    def _traced(self, *arguments):
        return self.does(lambda: self._create(*arguments))

    def asked(self):
        return self._guarded(self.arguments)


def fails(create):
    raise KeyError("ours")


def fails_afterwards(create):
    create()
    raise KeyError("ours")


@pytest.mark.parametrize("does", [fails, fails_afterwards])
def test_an_error_of_the_cache_is_noted_and_the_function_is_traced_once(does):
    hook = Hook(does)
    assert hook.asked() == "traced 1"
    assert (len(hook.traces), hook.notes) == (1, [("error", "KeyError: 'ours'")])


def test_an_error_of_the_trace_is_the_programs_and_is_raised_once():
    def plain(*arguments):
        tries.append(arguments)
        raise ValueError("the program's")

    tries: list = []
    hook = Hook(lambda create: create(), plain)
    with pytest.raises(ValueError, match="the program's"):
        hook.asked()
    assert (len(tries), hook.notes) == (1, [])


def test_an_interrupt_is_the_programs():
    def interrupted(create):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Hook(interrupted).asked()


def test_a_trace_inside_another_is_its_own():
    """What an inner function is traced to is never the answer for the outer one."""
    outer = Hook(None)

    def inner_then_fails(create):
        inner = (object(), None, None, Options())
        outer._create(*inner)
        raise KeyError("ours")

    outer.does = inner_then_fails
    assert outer.asked() == "traced 2"


def test_nothing_is_kept_of_a_call_that_has_ended():
    hook = Hook(lambda create: create())
    hook.asked()
    assert hook._under_way.call is None
