"""Which import, function or file most of a phase's time belongs to."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.segments import segments
from firststep.analyse.spans import outermost, spans
from firststep.model.facts import Leg


def shares(facts: Facts, phase: str, kind: str, *, outer: bool = False) -> Counter[str]:
    """Nanoseconds of a phase by the name of the innermost (or outermost) span of a kind that was open."""
    times: Counter[str] = Counter()
    for leg in facts(path):
        _add(facts, leg, phase, kind, outer, times)
    return times


def _add(facts: Facts, leg: Leg, phase: str, kind: str, outer: bool, times: Counter[str]) -> None:
    found = tuple(seen for seen in spans(facts, kind) if seen.process is leg.process and seen.on_main_thread)
    found = outermost(found) if outer else found
    cut = segments([seen.span for seen in found], leg.start, leg.end)
    starts = [segment.start for segment in cut]
    for piece in facts(partition).pieces:
        if piece.phase == phase and piece.process is leg.process:
            innermost = cut[bisect_right(starts, piece.start) - 1].innermost
            if innermost:
                times[innermost.span.name] += piece.end - piece.start
