"""Models, weights and checkpoints that were loaded: how large, and how fast."""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.spans import Seen, outermost, spans
from firststep.model.facts_frameworks import Load

KINDS = ("model-load", "weights-load", "checkpoint", "saver")


def loads(facts: Facts) -> tuple[Load, ...]:
    """Loads that are not part of another, in order of time."""
    named = tuple(seen for seen in spans(facts, *KINDS) if "path" in seen.span.labels or not seen.span.ended)
    return tuple(_load(seen) for seen in outermost(named))


def _load(seen: Seen) -> Load:
    span = seen.span
    size, ns = span.labels.get("bytes"), span.end - span.start
    return Load(
        kind=span.kind,
        path=str(span.labels.get("path", span.name)),
        format=str(span.labels.get("format", "")),
        bytes=size,
        start=span.start,
        ns=ns,
        megabytes_per_second=size * 1000 / ns if size and ns else None,
    )
