"""A large array is a constant of a graph.

Symptom: the first call of a small function takes seconds, and several times the memory of an array that it uses.

Why: an array of NumPy that is used within a `tf.function`, or a `tf.constant` that is made there, is written into the graph. The graph is
copied, looked through and optimised with all of its bytes, and again for each new trace. Where another function calls this one, they are
copied into that one's graph, and optimised there.

Confirmed by: the bytes of the constants of a traced graph, and the time of its trace and of its optimisation, and of the traces around it.

Remedy: make the tensor outside of the function, `rows = tf.constant(table)`, and use that: what a function finds made is handed to it
and stands in no graph. (In TensorFlow 1 a variable, or a placeholder that is fed.)

Source: TensorFlow's guide "Better performance with tf.function" on captured values; tensorflow/tensorflow#9742 ("GraphDef cannot be
larger than 2GB"). Measured: 240 MB in a function that a training step calls, 20.8 s against 4.9 s with the tensor made outside.
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.spans import spans_by_kind
from firststep.analyse.user_lines import parsed
from firststep.causes._constants import constants, cuts_of_constants, with_constants
from firststep.causes._inlined import holders
from firststep.causes._stretches import joined, time_in
from firststep.model.findings import Evidence, Found
from firststep.model.words import duration, plain_name, size

GROUP = "graph"
WATCHED = ("frameworks",)
FACTS = (spans_by_kind, partition, path)
REMEDIES: tuple[str, ...] = ()


def find(given: Facts) -> Found | None:
    traces = with_constants(given)
    cuts = cuts_of_constants(given, traces)
    if not cuts:
        return None
    most = max(traces, key=lambda one: constants(one)[0])
    held, line = constants(most)
    around = holders(given, most)
    within = f", inlined into {plain_name(around[0].span.name)}," if around else ""
    return Found(f"{size(held)} in a graph", Evidence(
        f"{plain_name(most.span.name)}{within} traced and optimised in {duration(time_in(joined(cuts)))}", parsed(line)),
        "make the tensor outside of the function, and use it inside", "high", cuts)
