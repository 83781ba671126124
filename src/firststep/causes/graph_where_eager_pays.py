"""A graph is built for a step or a few, and the program ends.

Symptom: a command that makes one prediction, or a trial of one step, takes longer than the same without `tf.function`.

Why: tracing and optimising a function costs as much as running its operations eagerly some tens of times. Whoever runs it once
pays that and gains nothing. The graph of a large step may be quicker all the same: try it.

Confirmed by: the time of tracing and optimisation before the first step, against the CPU time from there to the program's end. (What
Keras leaves behind may be waited for half a second without any.) What came after the first step may have been further steps, each some
twenty times slower without a graph: that is taken off.

Remedy: call the model, `model(x, training=False)`, where `model.predict(x)` would make one prediction;
`tf.config.run_functions_eagerly(True)`, or `run_eagerly=True`, while a change is tried with one step.

Source: Keras's documentation of `Model.predict` ("for small numbers of inputs that fit in one batch, directly use
`__call__()`"); the first document's third example.
"""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.afterwards import work_after_ready
from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.spans import outermost, spans, spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.causes._stretches import of_phases, time_in
from firststep.model.findings import Evidence, Found
from firststep.model.words import duration

GROUP = "first run"
WATCHED = ("frameworks", "steps")
FACTS = (partition, spans_by_kind, path, stack_lines, work_after_ready)
REMEDIES: tuple[str, ...] = ()
SLOW_NS = 100_000_000
SLOWER = 20  # times as long, at most, as in a graph: what comes after the first step may be further steps
LEAVING_NS = 30_000_000  # besides: what ends the first step, and the program
SHARE = (0.2, 0.9)  # of the work: the same operations still run, one by one
ONE = "model(x), not model.predict(x), for a single prediction"  # where it is Keras's
DO = {"predict": "tf.config.run_functions_eagerly(True) for a single call",
      "train": "tf.config.run_functions_eagerly(True) for a single step"}


def find(given: Facts) -> Found | None:
    ready, legs = given.trace.ready, given(path)
    traced = outermost(tuple(one for one in spans(given, "trace") if one.on_main_thread))
    if ready is None or ready.kind not in DO or not traced or given.trace.header.get("exit_code") != 0:
        return None
    end = legs[-1].process.end
    work, later = time_in(of_phases(given, phases.TRACING, phases.OPTIMISATION)), given(work_after_ready) or 0
    if end is None or end[1] != "exit" or work < SLOW_NS:
        return None
    low, high = (share - max(0, later - LEAVING_NS) * SLOWER / work for share in SHARE)
    if high <= 0:
        return None
    cuts = of_phases(given, phases.TRACING, phases.OPTIMISATION, share=(max(0.0, low), high))
    return Found("before it could pay", Evidence(
        f"{duration(work)} to trace and optimise, {duration(later)} of work from the first step to the end", line_of(given, *traced)),
        ONE if ready.kind == "predict" and spans(given, "predict") else DO[ready.kind], "medium", cuts)
