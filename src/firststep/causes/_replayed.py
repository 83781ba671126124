"""Traces that the function cache answers: shorter ones are left to TensorFlow, and only their optimised graphs are kept."""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.spans import Seen, outermost, spans

OVER_NS = 300_000_000  # `cache-functions.replay_over_ms`


def replayed(facts: Facts) -> tuple[Seen, ...]:
    """Those of the main thread."""
    return tuple(one for one in outermost(spans(facts, "trace")) if one.on_main_thread and one.span.end - one.span.start >= OVER_NS)


def lies_in(one: Seen, others: tuple[Seen, ...]) -> bool:
    """Whether a span lies inside one of the others."""
    return any(other.process is one.process and other.span.start <= one.span.start < other.span.end for other in others)
