"""What the rounds of a loop over a TensorFlow 1 graph do again."""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.spans import spans, total_ns
from firststep.causes._loops import again
from firststep.model.facts_frameworks import Repeat

KINDS = ("variable", "initialisation", "session-create", "session-extend", "session-run-first")
MOST = 0.95  # of a round


def made_again(given: Facts, loop: Repeat) -> tuple[float, float]:
    """Nanoseconds of variables, initialisers, sessions, graphs handed over and first runs in all rounds but the first, at least and at
    most."""
    return again(given, loop, KINDS, total_ns(tuple(one for one in spans(given, *KINDS) if one.span.start < loop.starts[1])), MOST)
