"""Stretches of a start that would go with a cause, and the time in them."""

from __future__ import annotations

from collections.abc import Iterable

from firststep.analyse.facts import Facts
from firststep.analyse.own_initial_values import OwnValue
from firststep.analyse.partition import partition
from firststep.analyse.spans import Seen, outermost
from firststep.model.findings import Cut

MILLISECOND = 1_000_000
WHOLE = (1.0, 1.0)

Share = tuple[float, float]
"""What of a stretch would go: at least and at most."""


def of_phases(facts: Facts, *phases: str, share: Share = WHOLE) -> tuple[Cut, ...]:
    """All of some phases."""
    by_phase, (low, high) = facts(partition).by_phase, share
    found = [Cut(piece.start, piece.end, low, high) for phase in phases for piece in by_phase.get(phase, ())]
    return tuple(found if len(phases) == 1 else sorted(found))


def of_spans(seen: Iterable[Seen], share: Share = WHOLE) -> tuple[Cut, ...]:
    """The spans that are on the main thread, nothing twice."""
    mine = tuple(one for one in seen if one.on_main_thread)
    return tuple(Cut(one.span.start, one.span.end, *share) for one in outermost(mine))


def of_own_values(values: Iterable[OwnValue], share: Share = WHOLE) -> tuple[Cut, ...]:
    """What functions of the program's took to compute initial values."""
    return tuple(Cut(one.start, one.end, *share) for one in values)


def of_phases_in(facts: Facts, phases: Iterable[str], seen: Iterable[Seen], share: Share = WHOLE) -> tuple[Cut, ...]:
    """What of some phases lies inside some spans of the main thread."""
    wanted = frozenset(phases)
    inside = list(of_spans(seen))
    found, index = [], 0
    for piece in facts(partition).pieces:
        while index < len(inside) and inside[index].end <= piece.start:
            index += 1
        if piece.phase in wanted and index < len(inside) and inside[index].start < piece.end:
            found.append(Cut(max(piece.start, inside[index].start), min(piece.end, inside[index].end), *share))
    return tuple(found)


def time_in(cuts: Iterable[Cut]) -> int:
    """Nanoseconds of stretches that do not overlap."""
    return sum(cut.end - cut.start for cut in cuts)


def a_share(share: Share, cuts: Iterable[Cut]) -> tuple[Cut, ...]:
    """The same stretches, of which only a share goes."""
    return tuple(Cut(cut.start, cut.end, *share) for cut in cuts)


def outside(cuts: Iterable[Cut], others: tuple[Cut, ...]) -> tuple[Cut, ...]:
    """What of the stretches no other covers. Both are in order, and neither overlap among themselves."""
    found, index = [], 0
    for start, end, *share in cuts:
        while index < len(others) and others[index].end <= start:
            index += 1
        at = index
        while at < len(others) and others[at].start < end:
            if start < others[at].start:
                found.append(Cut(start, others[at].start, *share))
            start, at = others[at].end, at + 1
        if start < end:
            found.append(Cut(start, end, *share))
    return tuple(found)


def joined(cuts: Iterable[Cut]) -> tuple[Cut, ...]:
    """The time that any of them covers, in order and once."""
    found: list[Cut] = []
    for start, end, *_ in sorted(cuts):
        if found and start <= found[-1].end:
            found[-1] = Cut(found[-1].start, max(found[-1].end, end))
        else:
            found.append(Cut(start, end))
    return tuple(found)


def without(cuts: tuple[Cut, ...], others: tuple[Cut, ...]) -> tuple[Cut, ...]:
    """The stretches that do not begin inside one of the others. (A piece of a phase never crosses a span's edge.)"""
    found, index = [], 0
    for cut in cuts:
        while index < len(others) and others[index].end <= cut.start:
            index += 1
        if index == len(others) or cut.start < others[index].start:
            found.append(cut)
    return tuple(found)
