"""Time in libraries that no hook names: by package and function, and by the user's line that led there."""

from __future__ import annotations

from collections import Counter

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.phases import LIBRARIES
from firststep.model.facts import LibraryTime, StackVerdict


def libraries(facts: Facts) -> tuple[LibraryTime, ...]:
    """Costliest first; the times add up to the phase `other libraries`."""
    times: Counter[StackVerdict] = Counter()
    for piece in facts(partition).pieces:
        if piece.phase == LIBRARIES and piece.verdict:
            times[piece.verdict] += piece.end - piece.start
    return tuple(
        LibraryTime(verdict.package, verdict.function, verdict.called, verdict.line, ns)
        for verdict, ns in times.most_common()
    )
