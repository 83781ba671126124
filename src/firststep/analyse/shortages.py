"""Page faults, and CPU time that a quota withheld, by phase."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import pairwise

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.model.facts import Leg, Piece, Shortage

COUNTERS = 3  # of a record: faults in memory, faults from disk, microseconds throttled


def shortages(facts: Facts) -> Mapping[str, Shortage]:
    """For phases that took time; empty where nothing was counted. Between two looks the counts are spread evenly."""
    whole = facts(partition)
    seen: dict[str, list[float]] = defaultdict(lambda: [0.0] * COUNTERS)
    known = [False] * COUNTERS
    for leg in facts(path):
        records = leg.process.shortages
        known = [was or any(record[1 + number] >= 0 for record in records) for number, was in enumerate(known)]
        pieces = [piece for piece in whole.pieces if piece.process is leg.process]
        for phase, number, amount in _spread(leg, pieces):
            seen[phase][number] += amount
    if not any(known):
        return {}
    return {phase: _shortage(seen[phase], known) for phase, ns in whole.phases.items() if ns}


def _spread(leg: Leg, pieces: list[Piece]) -> Iterator[tuple[str, int, float]]:
    """(phase, which counter, how much of it)"""
    records, ends = leg.process.shortages, [piece.end for piece in pieces]
    began = ((leg.executed, 0, 0, records[0][3]),) if records else ()  # a thread's faults are counted from its beginning
    for before, after in pairwise((*began, *records)):
        width = after[0] - before[0]
        grown = [max(0, now - then) if now >= 0 and then >= 0 else 0 for then, now in zip(before[1:], after[1:], strict=True)]
        if width <= 0 or not any(grown):
            continue
        for piece in pieces[bisect_right(ends, before[0]):]:
            if piece.start >= after[0]:
                break
            share = (min(piece.end, after[0]) - max(piece.start, before[0])) / width
            yield from ((piece.phase, number, amount * share) for number, amount in enumerate(grown) if amount and share > 0)


def _shortage(amounts: list[float], known: list[bool]) -> Shortage:
    in_memory, from_disk, throttled_us = (round(amount) if is_known else None for amount, is_known in zip(amounts, known, strict=True))
    return Shortage(in_memory, from_disk, None if throttled_us is None else throttled_us * 1000)
