"""The facts of one trace, each computed once, when somebody asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from firststep.model.trace import Trace

Fact = TypeVar("Fact")
NATIVE_LOG = "native log: stderr is no file"  # what native libraries log; told as what a cause lacks


class Facts:
    """`facts(some_fact)` is the value of the fact that the function `some_fact(facts)` computes."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self._known: dict[Callable[..., Any], Any] = {}

    def __call__(self, fact: Callable[[Facts], Fact]) -> Fact:
        if fact not in self._known:
            self._known[fact] = fact(self)
        return cast(Fact, self._known[fact])

    def measured(self, observer: str) -> bool:
        """Whether the plan of this trace had that observer; of NATIVE_LOG, whether there was a file to read it from."""
        if observer == NATIVE_LOG:
            return bool(self.trace.header.get("native_log", True))  # traces of older versions do not say
        return observer in self.trace.header.get("observe", ())
