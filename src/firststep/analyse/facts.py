"""The facts of one trace, each computed once, when somebody asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from firststep.model.trace import Trace

Fact = TypeVar("Fact")


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
        """Whether the plan of this trace had that observer."""
        return observer in self.trace.header.get("observe", ())
