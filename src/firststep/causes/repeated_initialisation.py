"""Variables are made and initialised again in every round of a loop.

Symptom: each round of a TensorFlow 1 program takes longer than a training step should, and later rounds longer than
earlier ones.

Why: every round adds new variables and a new initialiser to the same graph; `global_variables_initializer` initialises all
that were ever made, and the session has to take in the larger graph before it can run anything.

Confirmed by: more than two calls of `variables_initializer` at one line, with the number of variables in each; what of each round is
seen of it, and at most as much as the first one took, in proportion to the graph. Graphs of their own are told only where they are alike:
others have nothing to share.

Remedy: make the variables, the session and the initialiser once, before the loop.

Source: the fourth document, "initializing TensorFlow graph variables repeatedly".
"""

from __future__ import annotations

from firststep.analyse.afterwards import late_spans
from firststep.analyse.facts import Facts
from firststep.analyse.repeats import repeats
from firststep.analyse.spans import spans_by_kind
from firststep.causes._loops import is_after_ready, later_rounds, most_repeated, of_rounds
from firststep.causes._made_again import made_again
from firststep.model.facts_frameworks import Repeat
from firststep.model.findings import Evidence, Found
from firststep.model.words import duration

GROUP = "sessions"
WATCHED = ("frameworks", "afterwards")
FACTS = (repeats, late_spans, spans_by_kind)
REMEDIES: tuple[str, ...] = ()


def find(given: Facts) -> Found | None:
    loop = most_repeated(given, "initialisation")
    if loop is None or _differ(loop):
        return None
    rounds = sum(later_rounds(loop))
    grown = f", {loop.variables[0]} to {loop.variables[-1]} variables" if len(set(loop.variables)) > 1 else ""
    apart = _are_apart(loop)
    return Found("in every round of a loop", Evidence(
        f"{loop.times} initialisations{grown}; rounds took {duration(rounds)}", loop.line),
        "one graph and session, if all are alike" if apart else "make variables, session and initialiser once, before the loop",
        "low" if apart else "high", cuts=of_rounds(loop, *made_again(given, loop)), after_ready=is_after_ready(given, loop))


def _are_apart(loop: Repeat) -> bool:
    """Whether each round has a graph of its own."""
    return len(set(loop.graphs)) == loop.times


def _differ(loop: Repeat) -> bool:
    """Whether those are known to be other graphs."""
    return _are_apart(loop) and any(len(set(each)) > 1 for each in (loop.nodes, loop.variables, loop.sizes))
