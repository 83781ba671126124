"""A session is made in every round of a loop.

Symptom: seconds go by in `Session()` and in the first run of each session.

Why: a new session has nothing of the old one: devices' resources are made, the whole graph is handed over, optimised and
instantiated once more, and variables must be initialised again.

Confirmed by: more than two sessions made at one line, and what making them took.

Remedy: one session before the loop, or `tf.function` in TensorFlow 2.

Source: the fourth document, "a new session is created within each iteration".
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.repeats import repeats
from firststep.causes._loops import between, is_after_ready, later_rounds, most_repeated
from firststep.model.findings import Evidence, Found
from firststep.model.words import duration

GROUP = "sessions"
WATCHED = ("frameworks", "afterwards")
FACTS = (repeats,)
REMEDIES: tuple[str, ...] = ()
SHARE = 0.7  # of a round, at most: first runs, which a session that stays does not have


def find(given: Facts) -> Found | None:
    loop = most_repeated(given, "session-create")
    if loop is None:
        return None
    made, rounds = sum(loop.ns[1:]), sum(later_rounds(loop))
    return Found("a session in every round", Evidence(
        f"{loop.times} sessions made in {duration(sum(loop.ns))}; their rounds took {duration(rounds)}", loop.line),
        "make one session before the loop, or use tf.function", "high",
        gain=between(made, made + rounds * SHARE), after_ready=is_after_ready(given, loop))
