"""The initial values that were computed, each once."""

from __future__ import annotations

from collections.abc import Iterable

from firststep.analyse.facts import Facts
from firststep.analyse.spans import Seen, outermost, spans


def initial_values(facts: Facts) -> tuple[Seen, ...]:
    """What is only built into a graph fills nothing: a trace's values are computed together, by what is lifted out of it, and a graph
    of which only the shapes are asked for is never run."""
    return outermost(tuple(one for one in spans(facts, "initialiser") if not one.span.labels.get("symbolic")))


def values_in(seen: Iterable[Seen]) -> int:
    """How many these are: what is lifted out of a trace fills all variables that were made in it."""
    return sum(int(one.span.labels.get("variables") or 1) for one in seen)
