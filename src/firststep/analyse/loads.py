"""Models, weights and checkpoints that were loaded: how large, and how fast."""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.activity import activity
from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.spans import Seen, outermost, spans
from firststep.model.facts import Activity
from firststep.model.facts_frameworks import Load

KINDS = ("model-load", "weights-load", "checkpoint", "saver")


def loads(facts: Facts) -> tuple[Load, ...]:
    """Loads that are not part of another, in order of time."""
    named = tuple(seen for seen in spans(facts, *KINDS) if "path" in seen.span.labels or not seen.span.ended)
    return tuple(_load(seen, _reading(facts, seen)) for seen in outermost(named))


def _reading(facts: Facts, seen: Seen) -> int:
    """What of a load was reading: of its phase, by the share in which the thread did not wait for the disk."""
    span = seen.span
    if not seen.on_main_thread:
        return span.end - span.start
    pieces = facts(partition).by_phase.get(phases.WEIGHTS, ())
    whole = sum(piece.end - piece.start for piece in pieces)
    mine = sum(piece.end - piece.start for piece in pieces if span.start <= piece.start < span.end)  # none crosses a span's edge
    waited = facts(activity).get(phases.WEIGHTS, Activity()).disk_ns
    return round(mine * max(0.0, 1 - waited / max(1, whole)))


def _load(seen: Seen, read_ns: int) -> Load:
    span = seen.span
    size, ns = span.labels.get("bytes"), span.end - span.start
    return Load(
        kind=span.kind,
        path=str(span.labels.get("path", span.name)),
        format=str(span.labels.get("format", "")),
        bytes=size,
        start=span.start,
        ns=ns,
        read_ns=read_ns,
        megabytes_per_second=size * 1000 / read_ns if size and read_ns else None,
    )
