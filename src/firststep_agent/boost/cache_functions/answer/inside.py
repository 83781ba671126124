"""Functions inside one that is traced for real, for an answer or its proof: each as often as it is plainly.

TensorFlow traces a function a second time where its first trace has made variables. Before a trace for real they are there already, and
nothing would tell TensorFlow that it has to.
"""

import contextlib
import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

_open = threading.local()


class Inside:
    """One trace for real. twice: which of the functions inside it, as they are begun, are traced two times. traced: takes each of them,
    (TensorFlow's options for it, concrete function)."""

    def __init__(self, twice: "list[int]", traced: "list[Any]") -> None:
        self._twice = twice
        self._traced = traced
        self._begun = 0

    def trace(self, create: "Callable[..., Any]", function_type: "Any", type_context: "Any", func_graph: "Any", options: "Any") -> "Any":
        """The concrete function of one inside."""
        number = self._begun
        self._begun += 1
        traced = create(function_type, type_context, func_graph, options)
        if number in self._twice:
            traced = create(function_type, type_context, type(func_graph)(options.name), options)
        self._traced.append((options, traced))
        return traced


def current() -> "Inside | None":
    """The one that is open in this thread, or None."""
    return getattr(_open, "trace", None)


@contextlib.contextmanager
def opened(twice: "Any", traced: "list[Any]") -> "Iterator[None]":
    """Around a trace for real."""
    outer, _open.trace = current(), Inside(twice, traced)
    try:
        yield
    finally:
        _open.trace = outer
