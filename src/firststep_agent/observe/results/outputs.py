"""What the program's own calls of compiled functions and sessions return: the losses of a loop without Keras.

The first CALLS calls of each name that the program made itself, not those made inside another one or a trace.
"""

import sys
from _thread import get_ident

from firststep_agent.frameworks.listening import CALL
from firststep_agent.observe.results import digests
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from hashlib import _Hash
    from typing import Any

CALLS = 100
_FUNCTIONS = "tensorflow.python.eager.polymorphic_function."
_CALLED = {
    _FUNCTIONS + "polymorphic_function": "Function.__call__",
    _FUNCTIONS + "concrete_function": "ConcreteFunction.__call__",
    "tensorflow.python.client.session": "BaseSession.run",
}


def start(run: "Any") -> "Callable[[], Iterable[dict[str, Any]]]":
    outputs = _Outputs()
    run.on_fork(outputs.forget)
    run.before_import("tensorflow", lambda: outputs.watch(run))
    return outputs.records


class _Outputs:
    def __init__(self) -> None:
        self._inside: set[int] = set()  # threads within a call
        self._calls: dict[str, list[Any]] = {}  # name -> [count, digest]

    def watch(self, run: "Any") -> None:
        from firststep_agent.frameworks.points import points_at

        for module, attribute in _CALLED.items():
            for point in points_at("tensorflow", module, attribute):
                run.wrap(point, self._called, "results", until="exit")

    def _called(self, *arguments: "Any", **named: "Any") -> "Generator[Any, Any, None]":
        thread = get_ident()
        if thread in self._inside:
            return
        self._inside.add(thread)
        try:
            result = yield CALL
        finally:
            self._inside.discard(thread)
        self._keep(arguments[0], result)

    def _keep(self, called: "Any", result: "Any") -> None:
        name = getattr(called, "__name__", None) or getattr(called, "_name", None) or type(called).__name__
        seen = self._calls.get(name)
        if seen is None:
            seen = self._calls[name] = [0, digests.new()]
        if seen[0] < CALLS:
            seen[0] += 1
            _feed_outputs(seen[1], result)

    def forget(self) -> None:
        """What was called before a fork is the parent's."""
        self._inside.clear()
        self._calls.clear()

    def records(self) -> "Iterator[dict[str, Any]]":
        for name, (count, digest) in self._calls.items():
            yield {"what": "outputs", "name": _stable(str(name)), "digest": digest.hexdigest(), "count": count}


def _stable(name: str) -> str:
    """A function's name without the number that TensorFlow gives to each trace of it."""
    head, _, tail = name.rpartition("_")
    return head if head and tail.isdigit() else name


def _feed_outputs(digest: "_Hash", result: "Any") -> None:
    try:
        for value in _flat(result):
            if hasattr(value, "_numpy"):
                digests.feed_tensor(digest, value)
            elif hasattr(value, "dtype") and hasattr(value, "tobytes"):
                digests.feed_array(digest, value)
    except Exception as error:  # a value that cannot be read now is none that can be compared
        if is_theirs(error):
            raise
        digest.update(type(error).__name__.encode())


def _flat(result: "Any") -> "Any":
    nest = sys.modules.get("tensorflow.python.util.nest")
    return nest.flatten(result, expand_composites=True) if nest else [result]
