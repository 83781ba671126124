"""What the critical path's thread was doing, stretch by stretch: running, or waiting, and for what."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from firststep.analyse.activity import between
from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.system_calls import waits_for


class Doing(NamedTuple):
    """what: the field of Activity that most of the stretch belongs to."""

    start: int
    end: int
    what: str


def waiting(facts: Facts) -> tuple[Doing, ...]:
    """From sample to sample, neighbours that did the same together, in order of time."""
    found: list[Doing] = []
    for one in _stretches(facts):
        if found and found[-1].what == one.what and found[-1].end == one.start:
            found[-1] = Doing(found[-1].start, one.end, one.what)
        else:
            found.append(one)
    return tuple(found)


def _stretches(facts: Facts) -> Iterator[Doing]:
    pieces = facts(partition).pieces
    starts = [piece.start for piece in pieces]
    waits = waits_for(str(facts.trace.header.get("host", {}).get("machine", "")))
    for leg in facts(path):
        for before, after in zip(leg.process.samples, leg.process.samples[1:]):
            start, end = max(before.at, leg.start), min(after.at, leg.end)
            if end > start and pieces:
                phase = pieces[max(0, bisect_right(starts, (start + end) // 2) - 1)].phase
                what = max(between(leg, before, after, waits, phase), key=lambda share: share[1])[0]
                yield Doing(start, end, what)
