"""A Python loop inside a function is unrolled into its graph.

Symptom: tracing time and graph grow with the number of rounds; one function has thousands of operations.

Why: a `for` over a Python range runs while the function is traced, and leaves the operations of all its rounds in the
graph, which then has to be optimised and instantiated as well.

Confirmed by: one type of operation that stands in one scope of a graph hundreds of times, and the line that made the last.

Remedy: loop over `tf.range`, or `tf.while_loop`, `tf.map_fn`, `tf.scan`: the graph then has the loop once.

Source: tensorflow/tensorflow#38628 (0.76 s against 0.07 s with `tf.while_loop`); the first and the fifth document.
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.spans import Seen, outermost, spans, spans_by_kind
from firststep.analyse.user_lines import parsed
from firststep.causes._stretches import of_spans
from firststep.model.findings import Evidence, Found
from firststep.model.words import duration, plain_name

GROUP = "graph"
WATCHED = ("frameworks",)
FACTS = (spans_by_kind,)
REMEDIES: tuple[str, ...] = ()
SHARE = (0.5, 0.95)  # of its traces and of its first call: one round of the loop stays
ROUNDS = 50
OWN = "/tensorflow/python/eager/polymorphic_function/"  # its initialisers of lifted variables: an operation for each, and no loop
PER_ROUND = 0.05  # of all operations of the graph: a round and its gradients have some twenty


def find(given: Facts) -> Found | None:
    unrolled = [one for one in spans(given, "trace") if _is_unrolled(one)]
    if not unrolled:
        return None
    most = max(unrolled, key=lambda one: int(one.span.labels["repeated"][1]))
    kind, times, place = most.span.labels["repeated"]
    functions = {one.span.labels.get("function") for one in unrolled}
    first = [one for one in spans(given, "graph-optimise") if one.span.name in functions]
    took = sum(one.span.end - one.span.start for one in outermost(tuple(unrolled)))
    return Found("every round is in the graph", Evidence(
        f"{kind} {times:,} times, {plain_name(most.span.name)} traced in {duration(took)}", parsed(str(place))),
        "loop over tf.range, or use tf.while_loop or tf.map_fn", "high",
        (*of_spans(unrolled, SHARE), *of_spans(first, SHARE)))


def _is_unrolled(one: Seen) -> bool:
    kind, times, place = one.span.labels.get("repeated") or ("", 0, "")
    if OWN in str(one.span.labels.get("source", "")):
        return False
    return bool(kind and place) and times >= ROUNDS and times >= int(one.span.labels.get("ops", 0)) * PER_ROUND
