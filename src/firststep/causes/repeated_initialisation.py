"""Variables are made and initialised again in every round of a loop.

Symptom: each round of a TensorFlow 1 program takes longer than a training step should, and later rounds longer than
earlier ones.

Why: every round adds new variables and a new initialiser to the same graph; `global_variables_initializer` initialises all
that were ever made, and the session has to take in the larger graph before it can run anything.

Confirmed by: more than two calls of `variables_initializer` at one line, with the number of variables in each.

Remedy: make the variables, the session and the initialiser once, before the loop.

Source: the fourth document, "initializing TensorFlow graph variables repeatedly".
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.repeats import repeats
from firststep.causes._loops import is_after_ready, later_rounds, most_repeated, of_rounds
from firststep.model.findings import Evidence, Found
from firststep.model.words import duration

GROUP = "sessions"
WATCHED = ("frameworks", "afterwards")
FACTS = (repeats,)
REMEDIES: tuple[str, ...] = ()
SHARE = (0.3, 0.95)  # of a round: making, initialising and handing over the graph anew; steps stay


def find(given: Facts) -> Found | None:
    loop = most_repeated(given, "initialisation")
    if loop is None:
        return None
    rounds = sum(later_rounds(loop))
    grown = f", {loop.variables[0]} to {loop.variables[-1]} variables" if len(set(loop.variables)) > 1 else ""
    return Found("in every round of a loop", Evidence(
        f"{loop.times} initialisations{grown}; rounds took {duration(rounds)}", loop.line),
        "make variables, session and initialiser once, before the loop", "high",
        cuts=of_rounds(loop, rounds * SHARE[0], rounds * SHARE[1]), after_ready=is_after_ready(given, loop))
