"""The process grows from round to round.

Symptom: a loop of initialisations, sessions or models ends in swapping or out of memory.

Why: what earlier rounds made is kept: nodes of the default graph, variables of sessions that were not closed, Keras's global
state.

Confirmed by: the resident memory at each round.

Remedy: close sessions, and `tf.compat.v1.reset_default_graph()` or `tf.keras.backend.clear_session()` in each round; better,
make it all once.

Source: the fourth document, "increasingly fragmented memory allocation".
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.repeats import LOOP, repeats
from firststep.causes._loops import is_after_ready, slope
from firststep.model.findings import Evidence, Found, Gain
from firststep.model.words import size

GROUP = "sessions"
WATCHED = ("frameworks", "afterwards")
FACTS = (repeats,)
REMEDIES: tuple[str, ...] = ()
EACH = 5_000_000  # bytes a round
GROWTH = 0.1  # of the memory at the second round


def find(given: Facts) -> Found | None:
    for loop in sorted(given(repeats), key=lambda one: -one.times):
        if loop.times < LOOP or len(loop.resident) != loop.times:
            continue
        grown = loop.resident[-1] - loop.resident[1]
        if slope(loop.resident[1:]) > EACH and grown > loop.resident[1] * GROWTH:
            return Found("round by round", Evidence(
                f"{size(loop.resident[1])} to {size(loop.resident[-1])} in {loop.times - 1} rounds", loop.line),
                "close sessions, reset the graph, or clear_session()", "medium",
                gain=Gain(0, 0), after_ready=is_after_ready(given, loop), whatever_it_gains=True)
    return None
