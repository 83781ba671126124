"""The first batch is long in coming.

Symptom: `fit` stands still before its first step, and one CPU, or the disk, is busy.

Why: a pipeline does nothing until it is asked: then it opens files, traces its functions, fills its buffers and prepares
whole batches, before the first can be used.

Confirmed by: the time of making iterators and their functions, and the wait for the first element; where a step fetches it itself, as
that of `fit`, by how long the pipeline had begun, by TensorFlow's own count, and had not given an element. The same count says which
transformation worked for most of it. The tracing of the functions is the tracing's (`slow-graph-construction`). Python that it calls
(`from_generator`, `py_function`, `numpy_function`) is told by the program's line, from samples of the threads that run it; that it is
asleep or waits, by what the process computes meanwhile.

Remedy: `prefetch`, `map` with `num_parallel_calls`, small elements first, fewer transformations. Python runs one call at a time: more of
them at once help only as far as it waits; TensorFlow's operations, or a batch in each call, do without most of it. What waits itself, for a
connection or an answer, can begin in a thread before the model is built: all of it may be gained.

Source: the tf.data performance guide; tensorflow/tensorflow#47687.
"""

from __future__ import annotations

from collections import Counter

from firststep.analyse import phases
from firststep.analyse.called_back import at_rest, called_back
from firststep.analyse.data import data, worked
from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.spans import spans, spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.causes._first_batch import LARGE_CONSTANTS
from firststep.causes._replayed import replicas
from firststep.causes._stretches import a_share, of_phases, of_spans, time_in, without
from firststep.model.findings import Evidence, Found
from firststep.model.words import duration, plain_name

GROUP = "data"
WATCHED = ("frameworks",)
FACTS = (data, worked, partition, spans_by_kind, path, stack_lines, called_back, at_rest)
REMEDIES: tuple[str, ...] = ()
SHARE = (0.2, 0.7)
SLOW_NS = 100_000_000
PYTHON = 0.5  # of the wait, from which on the program's own Python within it is the place
MOST = 2  # of its parts are said
CODE = ""  # what no place tells: its Python, or what that waits for
PARTS = {  # kinds of spans -> what they are, and what to do where they are the most of it
    "data-first-element": ("for the first element", "prefetch, parallel map, small elements first"),
    "data-iterator": ("to start it", "fewer transformations in it"),
    "data-function": ("to make its functions", "fewer and smaller functions in it"),
    "data-pipeline": ("to put it together", "arrays instead of lists; fewer transformations"),
    CODE: ("in other parts of it", "prefetch, parallel map, small elements first"),
}
FEWER_REPLICAS = "fewer replicas while you try things: each has its own"


def find(given: Facts) -> Found | None:
    cuts, known = of_phases(given, phases.DATA, share=SHARE), given(data)
    if known is not None and known.constant_bytes >= LARGE_CONSTANTS:  # another cause, but for what comes when all is made
        cuts = without(cuts, of_spans(spans(given, "data-pipeline", "data-iterator")))
    if known is None or time_in(cuts) < SLOW_NS:
        return None
    took: Counter[str] = Counter()
    for piece in given(partition).by_phase.get(phases.DATA, ()):
        kind = piece.span.kind if piece.span else ""
        took[kind if kind in PARTS else CODE] += piece.end - piece.start
    parts = [(kind, ns) for kind, ns in took.most_common() if kind in PARTS and ns <= time_in(cuts)]
    said = "".join(f", {duration(ns)} {PARTS[kind][0]}{_most_in(given, kind, ns)}" for kind, ns in parts[:MOST])
    lines = given(called_back)
    if sum(lines.values()) >= time_in(cuts) * PYTHON:
        words = f"{duration(time_in(cuts))}, {duration(sum(lines.values()))} in Python that it calls"
        do, rests = "TensorFlow operations instead, or a batch in each call", given(at_rest)
        if rests >= sum(lines.values()) * PYTHON:
            words = f"{duration(time_in(cuts))}, {duration(rests)} asleep in Python that it calls"
            do = "let it wait less, or in a thread while the model is built"
            cuts = a_share((SHARE[0], max(SHARE[1], min(1.0, rests / time_in(cuts)))), cuts)
        return Found("the input pipeline", Evidence(words, max(lines, key=lambda line: lines[line])), do, "medium", cuts)
    most = parts[0][0] if parts else "data-first-element"
    do = FEWER_REPLICAS if most == CODE and replicas(given) > 1 else PARTS[most][1]
    seen = spans(given, most) if most else spans(given, "data-first-element", "data-iterator", "data-function")
    return Found("the input pipeline", Evidence(f"{duration(time_in(cuts))}{said}", line_of(given, *seen)), do, "medium", cuts)


def _most_in(given: Facts, kind: str, ns: int) -> str:
    """`, most in MapAndBatch`: a transformation that worked for most of the wait for the first element, as TensorFlow counts it."""
    most = given(worked).most_common(1) if kind == "data-first-element" else []
    return f", most in {plain_name(most[0][0])}" if most and most[0][1] >= ns * PYTHON else ""
