"""A graph grows from round to round and never stops.

Symptom: a loop becomes slower and slower, and takes more and more memory.

Why: operations that are made in a loop stay in the default graph. Each `Session.run` after a change hands the new part
over, and whatever walks the graph (an initialiser, a saver, a new session) walks all of it.

Confirmed by: the number of nodes of one graph at each session, each initialisation and each run that finds it larger, and the
slope of the rounds' times.

Remedy: build the operations once, before the loop, and feed them; `tf.compat.v1.get_default_graph().finalize()` shows the
line that adds more.

Source: the fourth document; keras-team/keras#2828 (1.0 to 5.6 s over 18 compiles), tensorflow/tensorflow#1439.
"""

from __future__ import annotations

from firststep.analyse.afterwards import late_spans
from firststep.analyse.facts import Facts
from firststep.analyse.repeats import growing
from firststep.analyse.spans import spans_by_kind
from firststep.causes._loops import is_after_ready, later_rounds, of_rounds, slope
from firststep.causes._made_again import MOST, made_again
from firststep.model.findings import Evidence, Found
from firststep.model.words import duration

GROUP = "sessions"
WATCHED = ("frameworks", "afterwards")
FACTS = (growing, late_spans, spans_by_kind)
REMEDIES: tuple[str, ...] = ()


def find(given: Facts) -> Found | None:
    loop = given(growing)
    if loop is None:
        return None
    rounds = later_rounds(loop)
    slower = slope(rounds)
    each = f", each round {duration(round(slower))} slower" if slower > 1_000_000 else ""
    slowdown = slower * len(rounds) ** 2 / 2
    low, high = made_again(given, loop)  # what each takes in goes even where the growth itself is not felt
    low, high = max(low, slowdown / 2), max(high, min(2 * slowdown, sum(rounds) * MOST))
    return Found("operations made in a loop", Evidence(
        f"{loop.nodes[0]:,} to {loop.nodes[-1]:,} nodes in {loop.times} rounds{each}", loop.line),
        "build it once; tf.compat.v1.get_default_graph().finalize() shows where", "high",
        cuts=of_rounds(loop, low, high), after_ready=is_after_ready(given, loop))
