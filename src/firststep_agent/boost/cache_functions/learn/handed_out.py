"""A learned function that is handed out (`get_concrete_function`, a SavedModel) when something that it reads has changed.

The plain run hands out its first trace. An answer has put that trace off, and could only make it in the state of then: such a function is
not kept.
"""

import weakref

from firststep_agent.boost.cache_functions import ID
from firststep_agent.boost.cache_functions.reads import inner
from firststep_agent.boost.objects.roots import Called
from firststep_agent.frameworks.listening import CALL
from firststep_agent.frameworks.points import points_at
from firststep_agent.signals import is_theirs

WHY = ("it is handed out, by get_concrete_function or for a SavedModel, after something that it reads has changed: the graph for that "
       "would be traced later than in a plain run")
_FUNCTION = "tensorflow.python.eager.polymorphic_function.polymorphic_function"
_PLACES = "Function.get_concrete_function", "Function._list_all_concrete_functions"


class HandedOut:
    """Of one process."""

    def __init__(self, run):
        self._run = run
        self._listens = False
        self._watched: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()  # concrete function -> (what it reads, whom to tell)

    def watch(self, concrete_function, function, names, used):
        """used(WHY) is called when that happens. names: what counts of what the traced `function` reaches."""
        if not self._listens:  # the watched ones may all be gone again
            self._listens = True
            for place in _PLACES:
                for point in points_at("tensorflow", _FUNCTION, place):
                    self._run.wrap(point, self._listen, ID, until="exit")
        self._watched[concrete_function] = _State(function, names), used

    def _listen(self, *arguments, **keywords):
        found = yield CALL
        for each in found if type(found) is list else (found,):
            state, used = self._watched.get(each, (None, None))
            if state is not None and _has_changed(state):
                used(WHY)


def _has_changed(state):
    try:
        return state.has_changed()
    except Exception as error:  # it cannot be told
        if is_theirs(error):
            raise
        return True


class _State:
    """What a function reads, as it is now; keeps neither it nor any of its arguments alive."""

    def __init__(self, function, names):
        plain, arguments = (function.function, function.arguments) if type(function) is Called else (function, None)
        self._function = _weak(plain)
        self._arguments = None if arguments is None else [_weak(each) for each in arguments]
        self._names = names
        self._digest = inner.state(function, names)

    def has_changed(self):
        function = self._function()
        if self._arguments is not None:
            function = Called(function, [reference() for reference in self._arguments])
        return inner.state(function, self._names) != self._digest


def _weak(value):
    try:
        return weakref.WeakMethod(value) if hasattr(value, "__func__") else weakref.ref(value)
    except TypeError:  # it counts as changed
        return lambda: None
