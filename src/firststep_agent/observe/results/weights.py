"""The variables as they stand at exit.

A model that is local to a function is gone by then, so the newest variables are kept alive, up to KEPT_BYTES.
"""

import weakref
from collections import deque

from firststep_agent.frameworks.listening import CALL
from firststep_agent.observe.results import digests
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from typing import Any

KEPT_BYTES = 1 << 30
_NAMED = 5000  # variables at most that are listed one by one
_DIGITS = 32  # of a listed digest
_MODULE = "tensorflow.python.ops.resource_variable_ops"


def start(run: "Any") -> "Callable[[], Iterable[dict[str, Any]]]":
    variables = _Variables()
    run.on_fork(variables.set_aside)
    run.before_import("tensorflow", lambda: variables.watch(run))
    return variables.records


class _Variables:
    def __init__(self) -> None:
        self._kept: deque[tuple[Any, int]] = deque()  # (variable, bytes), the newest last
        self._bytes = 0
        self._older: list[weakref.ref[Any]] = []
        self._inherited: list[Any] = []

    def watch(self, run: "Any") -> None:
        from firststep_agent.frameworks.points import points_at

        for point in points_at("tensorflow", _MODULE, "BaseResourceVariable.__init__"):
            run.wrap(point, self._made, "results", until="exit")

    def _made(self, variable: "Any", *arguments: "Any", **named: "Any") -> "Generator[Any, Any, None]":
        yield CALL
        if type(variable).__name__ != "_UnreadVariable":  # a view of a variable, made by each assignment
            self._add(variable)

    def _add(self, variable: "Any") -> None:
        size = (variable.shape.num_elements() or 0) * variable.dtype.size
        self._kept.append((variable, size))
        self._bytes += size
        while self._bytes > KEPT_BYTES:
            old, size = self._kept.popleft()
            self._bytes -= size
            self._older.append(weakref.ref(old))

    def set_aside(self) -> None:
        """In a forked child, the parent's variables can neither be read nor be let go: both would run operations."""
        self._inherited.append((self._kept, self._older))
        self._kept, self._older, self._bytes = deque(), [], 0

    def records(self) -> "Iterator[dict[str, Any]]":
        alive = [variable for variable in (ref() for ref in self._older) if variable is not None]
        alive.extend(variable for variable, _ in self._kept)
        items = sorted(_described(variable) for variable in alive if not _in_graph(variable))
        if items:
            yield {"what": "weights", "name": "variables", "digest": digests.of_text(repr(items)),
                   "count": len(items), "values": items[:_NAMED]}


def _in_graph(variable: "Any") -> bool:
    """A variable of a v1 graph has no value outside a session."""
    return getattr(variable, "_in_graph_mode", False)


def _described(variable: "Any") -> "list[Any]":
    try:
        value = digests.of_array(digests.as_array(variable))[:_DIGITS]
    except Exception as error:
        if is_theirs(error):
            raise
        value = type(error).__name__  # never initialised, or deleted with its device
    return [variable.name, f"{variable.dtype.name}{variable.shape}", value]
