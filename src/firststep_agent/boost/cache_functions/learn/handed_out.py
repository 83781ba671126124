"""A learned function that is handed out (`get_concrete_function`, a SavedModel) or copied, or a tensor of whose trace is asked for its
graph, when something that it reads has changed.

The plain run hands out its first trace. An answer has put that trace off, and could only make it in the state of then: such a function is
not kept.
"""

import weakref

from firststep_agent.as_found import os
from firststep_agent.boost.cache_functions import ID, carried
from firststep_agent.boost.cache_functions.reads import change, inner, kept_tensors, surroundings
from firststep_agent.boost.cache_functions.reads.watch import files
from firststep_agent.boost.objects import roots
from firststep_agent.frameworks.listening import CALL
from firststep_agent.frameworks.points import points_at
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable
    from typing import Any

    from firststep_agent.boost.cache_functions.reads.names import Names

WHY = ("it is handed out, by get_concrete_function or for a SavedModel, after something that it reads, or of the process's settings, has "
       "changed: the graph for that would be traced later than in a plain run")
WHY_OF_A_COPY = ("it is copied or pickled after something that it reads, or of the process's settings, has changed: the graph for that "
                 "would be traced later than in a plain run")
WHY_OF_A_TENSOR = ("a tensor that its trace leaves behind is asked for its operation or its graph after something that it reads, or of the "
                   "process's settings, has changed: that would be traced later than in a plain run")
_FUNCTION = "tensorflow.python.eager.polymorphic_function.polymorphic_function"
_PLACES = "Function.get_concrete_function", "Function._list_all_concrete_functions"


class HandedOut:
    """Of one process."""

    def __init__(self, run: "Any") -> None:
        self._run = run
        self._listens = False
        self._watched: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()  # concrete function -> (what it reads, whom to tell)

    def watch(self, concrete_function: "Any", state: "StateRead", tensors: "Iterable[Any]", used: "Callable[[str], Any]") -> None:
        """used(why) is called when that happens. state: what its trace read; tensors: that this left somewhere."""
        if not self._listens:  # the watched ones may all be gone again
            self._listens = True
            for place in _PLACES:
                for point in points_at("tensorflow", _FUNCTION, place):
                    self._run.wrap(point, self._listen, ID, until="exit")
        self._watched[concrete_function] = state, used
        carried.copied(concrete_function, lambda: state.has_changed() and used(WHY_OF_A_COPY))
        kept_tensors.watch(tensors, lambda: state.has_changed() and used(WHY_OF_A_TENSOR))

    def _listen(self, *arguments: "Any", **keywords: "Any") -> "Generator[Any, Any, None]":
        found = yield CALL
        for each in found if type(found) is list else (found,):
            state, used = self._watched.get(each, (None, None))
            if state is not None and state.has_changed():
                used(WHY)


class StateRead:
    """What a function reads, as it is now, less what its trace has set, which a trace that is put off sees as it was before; keeps
    neither the function nor any of its arguments alive. read: {path: digest} of those that it reads. tried(): called the first time that
    it is asked for and nothing has changed: an answer would be traced for then."""

    def __init__(self, function: "Any", names: "Names", changes: "Iterable[change.Change]", read: "dict[str, str]",
                 tried: "Callable[[], None]" = lambda: None) -> None:
        self._function = roots.weakly(function)
        self._names, self._left_out = names, change.places_of(changes)
        self._digest = inner.state(function, names, self._left_out)
        self._surroundings, self._read, self._process = surroundings.now(), read, os.getpid()
        self._tried: Callable[[], None] | None = tried

    def has_changed(self) -> bool:
        """Whether it is, or may be, another now."""
        if self._is_another():
            return True
        tried, self._tried = self._tried, None
        if tried is not None:
            tried()
        return False

    def _is_another(self) -> bool:
        try:
            is_here = os.getpid() == self._process  # the child that proves it has other surroundings
            return (is_here and (surroundings.now() != self._surroundings or files.recheck(self._read) is not None)
                    or inner.state(self._function(), self._names, self._left_out) != self._digest)
        except Exception as error:  # it cannot be told
            if is_theirs(error):
                raise
            return True
