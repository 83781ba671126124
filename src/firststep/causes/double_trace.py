"""A function is traced twice because its variables are made inside its first trace.

Symptom: the first training step takes twice as long as it should; with a large model, minutes.

Why: optimizers and metrics make their variables when the step first asks for them, which is while TensorFlow traces it.
TensorFlow then lifts each variable's initialiser out of the graph, one small trace for each, throws the first trace away
and traces the function again.

Confirmed by: a second trace with the same arguments, in the scope in which no variable may be made.

Remedy: `optimizer.build(model.trainable_variables)` before the first step. Boost does the same without an edit.

Source: `tensorflow/python/eager/polymorphic_function`; measured: ResNet50's first step, 863 traces instead of 5.
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import outermost, spans, spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.causes._replayed import lies_in, replayed
from firststep.causes._stretches import of_spans
from firststep.model.findings import Evidence, Found
from firststep.model.words import count, duration, plain_name

GROUP = "graph"
WATCHED = ("frameworks",)
FACTS = (spans_by_kind, path, stack_lines)
REMEDIES = ("prebuild-variables", "cache-functions")
WHY = "variables were made in the first trace"
SHARE = (0.6, 0.9)  # of the first trace: the variables themselves are still made


def find(given: Facts) -> Found | None:
    traces = spans(given, "trace")
    again = outermost(tuple(one for one in traces if one.span.labels.get("why") == WHY))
    first = []
    for second in again:
        key = (second.span.name, second.span.labels.get("source"))
        before = [one for one in traces if (one.span.name, one.span.labels.get("source")) == key and one.span.end <= second.span.start]
        first += before[-1:]
    if not first:
        return None
    longest = max(first, key=lambda one: one.span.end - one.span.start)
    lifted = [one for one in spans(given, "initialiser") if one.span.labels.get("lifted")]
    inside = sum(longest.span.start <= one.span.start < longest.span.end for one in traces)
    took = duration(longest.span.end - longest.span.start)
    return Found("variables made while tracing", Evidence(
        f"{plain_name(longest.span.name)} twice, {took} the first time, {count(inside, 'trace')} in it", line_of(given, longest)),
        "boost makes them first; by hand: optimizer.build(variables)", "high",
        (*of_spans(first, SHARE), *of_spans(lifted, SHARE)),
        remedies=None if any(lies_in(one, replayed(given)) for one in first) else ("prebuild-variables",))
