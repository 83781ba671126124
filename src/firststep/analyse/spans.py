"""The spans of the start: those of the critical path's processes, as far as they lie before its end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.phases import GIVE_WAY, PHASE_OF
from firststep.model.trace import Process, Span

KINDS = frozenset((*PHASE_OF, *GIVE_WAY))


class Seen(NamedTuple):
    """A span and where it was; its end is cut off at the end of the process's leg."""

    process: Process
    span: Span

    @property
    def on_main_thread(self) -> bool:
        return self.span.thread == self.process.thread


def spans_by_kind(facts: Facts) -> Mapping[str, tuple[Seen, ...]]:
    """Every span of the critical path by its kind, each kind in order of start, outer before inner."""
    found: dict[str, list[Seen]] = defaultdict(list)
    for leg in facts(path):
        for span in leg.process.spans:
            if leg.start <= span.start < leg.end:
                inside = span if span.end <= leg.end else replace(span, end=leg.end)
                found[span.kind].append(Seen(leg.process, inside))
    return {kind: tuple(sorted(seen, key=_order)) for kind, seen in found.items()}


def spans(facts: Facts, *kinds: str) -> tuple[Seen, ...]:
    """The spans of some kinds, in order of start. Raises KeyError for a kind that no span is of."""
    if unknown := set(kinds) - KINDS:
        raise KeyError(f"no span is of kind {', '.join(sorted(unknown))}")
    by_kind = facts(spans_by_kind)
    found = [seen for kind in kinds for seen in by_kind.get(kind, ())]
    return tuple(sorted(found, key=_order) if len(kinds) > 1 else found)


def _order(seen: Seen) -> tuple[int, int]:
    return seen.span.start, -seen.span.end


def outermost(found: tuple[Seen, ...]) -> tuple[Seen, ...]:
    """Those that do not lie inside another of them, on their own thread."""
    ends: dict[tuple[int, int], int] = {}
    outer = []
    for seen in found:
        thread = (seen.process.pid, seen.span.thread)
        if seen.span.start >= ends.get(thread, 0):
            ends[thread] = seen.span.end
            outer.append(seen)
    return tuple(outer)


def total_ns(found: tuple[Seen, ...]) -> int:
    """Time of all of them, nothing twice."""
    return sum(seen.span.end - seen.span.start for seen in outermost(found))
