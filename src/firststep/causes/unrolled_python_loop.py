"""A Python loop inside a function is unrolled into its graph.

Symptom: tracing time and graph grow with the number of rounds; one function has thousands of operations.

Why: a `for` over a Python range runs while the function is traced, and leaves the operations of all its rounds in the
graph, which then has to be optimised and instantiated as well. So have the gradients of each round; and where another function calls
this one, all of it is once more a part of that one's graph.

Confirmed by: one type of operation that stands in one scope of a graph hundreds of times, and the loop that made the last.

Remedy: loop over `tf.range`, or `tf.while_loop`, `tf.map_fn`, `tf.scan`: the graph then has the loop once.

Source: tensorflow/tensorflow#38628 (0.76 s against 0.07 s with `tf.while_loop`); the first and the fifth document. Measured: 1,500 rounds
with their gradients, 17.5 s against 3.0 s with `tf.range`.
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.spans import outermost, spans_by_kind
from firststep.analyse.user_lines import parsed
from firststep.causes._unrolled import cuts_of_unrolled, unrolled
from firststep.model.findings import Evidence, Found
from firststep.model.words import duration, plain_name

GROUP = "graph"
WATCHED = ("frameworks",)
FACTS = (spans_by_kind, partition)
REMEDIES: tuple[str, ...] = ()


def find(given: Facts) -> Found | None:
    traces = unrolled(given)
    if not traces:
        return None
    most = max(traces, key=lambda one: int(one.span.labels["repeated"][1]))
    kind, times, place, *_ = most.span.labels["repeated"]
    took = sum(one.span.end - one.span.start for one in outermost(tuple(traces)))
    return Found("every round is in the graph", Evidence(
        f"{kind} {times:,} times, {plain_name(most.span.name)} traced in {duration(took)}", parsed(str(place))),
        "loop over tf.range, or use tf.while_loop or tf.map_fn", "high", cuts_of_unrolled(given, traces))
