"""Garbage collections on the main thread: how many, how long, and what they interrupted."""

from __future__ import annotations

from collections import defaultdict

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.phases import COLLECTION
from firststep.model.facts import Collections


def collections(facts: Facts) -> Collections | None:
    """None where collections were not watched."""
    if not facts.measured("garbage-collection"):
        return None
    count = total = collected = 0
    generations: dict[int, tuple[int, int]] = {}
    for leg in facts(path):
        for span in leg.process.spans:
            if span.kind == "gc" and span.thread == leg.process.thread and leg.start <= span.start < leg.end:
                ns = min(span.end, leg.end) - span.start
                count += 1
                total += ns
                collected += int(span.labels.get("collected", 0))
                generation = int(span.name.rpartition(" ")[2])
                before = generations.get(generation, (0, 0))
                generations[generation] = (before[0] + 1, before[1] + ns)
    return Collections(count, total, collected, dict(sorted(generations.items())), _interrupted(facts))


def _interrupted(facts: Facts) -> dict[str, int]:
    """Nanoseconds by the phase of the piece just before each collection."""
    during: dict[str, int] = defaultdict(int)
    before = ""
    for piece in facts(partition).pieces:
        if piece.phase == COLLECTION:
            during[before] += piece.end - piece.start
        else:
            before = piece.phase
    return dict(during)
