"""Garbage collections on the main thread: how many, how long, and what they interrupted."""

from __future__ import annotations

from collections import defaultdict

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.phases import COLLECTION
from firststep.analyse.spans import spans
from firststep.model.facts import Collections


def collections(facts: Facts) -> Collections | None:
    """None where collections were not watched."""
    if not facts.measured("garbage-collection"):
        return None
    found = [seen.span for seen in spans(facts, "gc") if seen.on_main_thread]
    generations: dict[int, tuple[int, int]] = {}
    for span in found:
        generation = int(span.name.rpartition(" ")[2])
        times, ns = generations.get(generation, (0, 0))
        generations[generation] = (times + 1, ns + span.end - span.start)
    return Collections(
        count=len(found),
        ns=sum(span.end - span.start for span in found),
        collected=sum(int(span.labels.get("collected", 0)) for span in found),
        by_generation=dict(sorted(generations.items())),
        during=_interrupted(facts),
    )


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
