"""A learned function that is handed out (`get_concrete_function`, a SavedModel) when something that it reads has changed.

An answer puts its trace off until then, and would have to make it in a state that the plain run has not traced in.
"""

import sys
import weakref

from firststep_agent.boost.cache_functions.reads import inner
from firststep_agent.boost.objects.roots import Called

WHY = ("it is handed out, by get_concrete_function or for a SavedModel, after something that it reads has changed: the graph for that "
       "would be traced later than in a plain run")

_OF_CALLS = "trace_function"


def watch(concrete_function, function, names, used):
    """used(WHY) is called when that happens. names: what counts of what the traced `function` reaches."""
    concrete_function.__dict__["_garbage_collector"] = _Collector(concrete_function._garbage_collector, _State(function, names), used)


class _Collector:
    """In the place of what keeps a graph alive, which TensorFlow lets go when it hands the function out, and at each call."""

    def __init__(self, plain, state, used):
        self._plain = plain
        self._state = state
        self._used = used

    def release(self):
        self._plain.release()
        if sys._getframe(1).f_code.co_name == _OF_CALLS:
            return
        try:
            changed = self._state.has_changed()
        except Exception:  # it cannot be told
            changed = True
        if changed:
            self._used(WHY)


class _State:
    """What a function reads, as it is now; keeps none of its arguments alive."""

    def __init__(self, function, names):
        self._function, self._arguments = function, None
        if type(function) is Called:
            self._function, self._arguments = function.function, [_weak(each) for each in function.arguments]
        self._names = names
        self._digest = inner.state(function, names)

    def has_changed(self):
        function = self._function
        if self._arguments is not None:
            function = Called(function, [reference() for reference in self._arguments])
        return inner.state(function, self._names) != self._digest


def _weak(value):
    try:
        return weakref.ref(value)
    except TypeError:  # it counts as changed
        return lambda: None
