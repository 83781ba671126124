"""Initial values that nothing reads: a load, or what is set, overwrites them first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from firststep.analyse.facts import Facts
from firststep.analyse.initial_values import initial_values
from firststep.analyse.spans import Seen, outermost, spans
from firststep.model.findings import Level

LOADS = ("model-load",)
SETS = ("weights-load", "weights-set", "checkpoint", "saver")
MOST = 0.5  # of what was initialised before: a `set_weights` of less overwrites one layer of many


class Overwritten(NamedTuple):
    """made: the initialisers; by: what overwrites them; confidence: high where they ran inside of it."""

    made: tuple[Seen, ...]
    by: tuple[Seen, ...]
    confidence: Level


def overwritten(given: Facts) -> Overwritten | None:
    made = tuple(one for one in given(initial_values) if one.on_main_thread)
    loads = outermost(spans(given, *LOADS))
    inside = tuple(one for one in made if any(load.span.start <= one.span.start < load.span.end for load in loads))
    if inside:
        return Overwritten(inside, loads, "high")
    sets = spans(given, *SETS)
    if not sets:
        return None
    before = tuple(one for one in made if one.span.end <= sets[-1].span.start)
    if not before or filled(sets) < filled(before) * MOST:
        return None
    return Overwritten(before, sets, "medium")


def filled(seen: Iterable[Seen]) -> int:
    """The bytes that these wrote."""
    return sum(int(one.span.labels.get("bytes") or 0) for one in seen)
