"""Traces that answers have put off, and that TensorFlow would find again where a function is called that was to be traced with one."""

import weakref

from firststep_agent.boost.cache_functions.keep import nested

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any


class Owed:
    """Of one process. In a start that learns or confirms: those that an answer would put off, with what is noted in its place."""

    def __init__(self) -> None:
        self._all: list = []  # (function, owner, lazy): weak, weak or None, and the answer

    def add(self, functions: "Iterable[Any]", lazy: "Any") -> None:
        """The answer stands for a trace in which these are traced as well: [[function, owner]]."""
        for function, owner in functions:
            entry: list = []
            entry[:] = self._weak(function, entry), None if owner is None else self._weak(owner, entry), lazy
            self._all.append(entry)

    def _weak(self, value: "Any", entry: "list[Any]") -> "Callable[[], Any]":
        try:
            return weakref.ref(value, lambda _: self._drop(entry))
        except TypeError:  # it is not known when it has gone
            return lambda: value

    def _drop(self, entry: "list[Any]") -> None:
        self._all[:] = [each for each in self._all if each is not entry]

    def owing(self, python_function: "Any") -> "list[Any]":
        """The answers that owe a trace of this function."""
        return [lazy for _, _, lazy in self._of(python_function)]

    def answers(self, python_function: "Any") -> "list[Any]":
        """The answers that owe a trace of this function. They do so no longer."""
        found = self._of(python_function)
        for each in found:
            self._drop(each)
        return [lazy for _, _, lazy in found]

    def _of(self, python_function: "Any") -> "list[list[Any]]":
        if not self._all:
            return []
        function, owner = nested.apart(python_function)
        return [each for each in self._all if each[0]() is function and (owner is None if each[1] is None else each[1]() is owner)]


def made_up_for(answers: "list[Any]", function_type: "Any", tracing_options: "Any") -> "Any":
    """What TensorFlow would have found instead of a new trace, or None; all that the answers have put off is traced."""
    from tensorflow.python.eager.polymorphic_function import function_context

    trace(answers)
    cache = tracing_options.function_cache
    return None if cache is None else cache.lookup(function_type, function_context.make_function_context(tracing_options.scope_type))


def trace(answers: "list[Any]") -> None:
    """Makes all traces that the answers have put off."""
    for lazy in answers:
        lazy.is_needed()
