"""A large array is a constant of a graph.

Symptom: the first call of a small function takes seconds, and several times the memory of an array that it uses.

Why: an array of NumPy that is used within a `tf.function`, or a `tf.constant` that is made there, is written into the graph. The graph is
copied, looked through and optimised with all of its bytes, and again for each new trace.

Confirmed by: the bytes of the constants of a traced graph, and the time of its trace and of its optimisation.

Remedy: make the tensor outside of the function, `rows = tf.constant(table)`, and use that: what a function finds made is handed to it
and stands in no graph. (In TensorFlow 1 a variable, or a placeholder that is fed.)

Source: TensorFlow's guide "Better performance with tf.function" on captured values; tensorflow/tensorflow#9742 ("GraphDef cannot be
larger than 2GB").
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.spans import Seen, spans, spans_by_kind
from firststep.analyse.user_lines import parsed
from firststep.causes._stretches import of_spans, time_in
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.words import duration, plain_name, size

GROUP = "graph"
WATCHED = ("frameworks",)
FACTS = (spans_by_kind, partition, path)
REMEDIES: tuple[str, ...] = ()
LARGE = 10_000_000  # bytes of one graph
COST_NS = (40, 150)  # of a byte, in each of the two
MOST = 0.95


def find(given: Facts) -> Found | None:
    traces = [one for one in spans(given, "trace") if one.on_main_thread and _constants(one)[0] >= LARGE]
    if not traces:
        return None
    most = max(traces, key=lambda one: _constants(one)[0])
    held, line = _constants(most)
    by_name = {one.span.labels.get("function"): _constants(one)[0] for one in traces}
    optimised = [(one, by_name[one.span.name]) for one in spans(given, "graph-optimise") if one.span.name in by_name]
    cuts = sorted(cut for one, bytes_held in [*((one, _constants(one)[0]) for one in traces), *optimised] for cut in _of(one, bytes_held))
    if not cuts:
        return None
    return Found(f"{size(held)} in a graph", Evidence(
        f"{plain_name(most.span.name)} traced and optimised in {duration(time_in(cuts))}", parsed(line)),
        "make the tensor outside of the function, and use it inside", "high", tuple(cuts))


def _constants(one: Seen) -> tuple[int, str]:
    held, line = one.span.labels.get("constants") or (0, "")
    return int(held), str(line)


def _of(one: Seen, held: int) -> tuple[Cut, ...]:
    """What the bytes cost of a stretch, at least and at most."""
    took = max(1, one.span.end - one.span.start)
    low, high = (min(MOST, held * cost / took) for cost in COST_NS)
    return of_spans((one,), (low, high))
