"""Garbage collections on the main thread: how many, how long, and what they interrupted."""

from __future__ import annotations

from collections import defaultdict

from firststep.analyse.facts import Facts
from firststep.analyse.further import calls, more_ns
from firststep.analyse.partition import partition
from firststep.analyse.phases import COLLECTION
from firststep.analyse.spans import Seen, spans
from firststep.model.facts import Collections, Interruption, Piece
from firststep.model.ownership import LIBRARY, Ownership


def collections(facts: Facts) -> Collections | None:
    """None where collections were not watched."""
    if not facts.measured("garbage-collection"):
        return None
    found = [seen for seen in spans(facts, "gc") if seen.on_main_thread]
    generations: dict[int, tuple[int, int]] = {}
    for seen in found:
        generation = int(seen.span.name.rpartition(" ")[2])
        times, ns = generations.get(generation, (0, 0))
        generations[generation] = (times + calls(seen), ns + seen.span.end - seen.span.start + more_ns(seen))
    return Collections(
        count=sum(times for times, _ in generations.values()),
        ns=sum(ns for _, ns in generations.values()),
        collected=sum(int(seen.span.labels.get("collected", 0)) for seen in found),
        by_generation=dict(sorted(generations.items())),
        during=_during(facts),
    )


def interruptions(facts: Facts) -> tuple[Interruption, ...]:
    """Each piece of a collection on the critical path, with the phase of the piece just before it."""
    found, before = [], ""
    for piece in facts(partition).pieces:
        if piece.phase == COLLECTION:
            found.append(Interruption(piece, before, _is_by_library(piece), *_others(piece)))
        else:
            before = piece.phase
    return tuple(found)


def _others(piece: Piece) -> tuple[int, int]:
    """For how many collections it stands, and what the others took."""
    if piece.span is None or piece.process is None or piece.end < piece.span.end:  # it stands where it ends
        return 1, 0
    seen = Seen(piece.process, piece.span)
    return calls(seen), more_ns(seen)


def _is_by_library(piece: Piece) -> bool:
    """Traces of older versions do not say whose code asked."""
    by = piece.span.labels.get("by") if piece.span else None
    return bool(by and piece.process and Ownership(piece.process.header).of(str(by)).kind == LIBRARY)


def _during(facts: Facts) -> dict[str, int]:
    """Nanoseconds by the phase that was interrupted."""
    during: dict[str, int] = defaultdict(int)
    for one in facts(interruptions):
        during[one.phase] += one.ns
    return dict(during)
