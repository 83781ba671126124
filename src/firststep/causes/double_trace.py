"""A function is traced twice because its variables are made inside its first trace.

Symptom: the first training step takes twice as long as it should; with a large model, minutes.

Why: optimizers and metrics make their variables when the step first asks for them, which is while TensorFlow traces it.
TensorFlow then lifts each variable's initialiser out of the graph, one small trace for each, throws the first trace away
and traces the function again.

Confirmed by: a second trace with the same arguments, in the scope in which no variable may be made. The initial values themselves are
no part of what the first one costs: they are computed either way. The graph that computes them is.

Remedy: `optimizer.build(model.trainable_variables)` before the first step, and before that a call of the model on one batch where it has
no variables yet: `model.build(shape)` makes none in a model of your own class that has no `build` of its own. Metrics that `compile` is
given by name make theirs in the first step: give it the objects (`metrics=[keras.metrics.MeanAbsoluteError()]`), which have them. It takes
all of them: one variable that is left is enough for the second trace. Of a model with several outputs Keras keeps each one's loss in a
metric of its own, which nobody can give. Boost makes an optimizer's and the metrics' variables first, without
an edit; of a model that the step itself builds it can only keep the traced function.

Source: `tensorflow/python/eager/polymorphic_function`; measured: ResNet50's first step, 863 traces instead of 5; with an optimizer that was
built and a metric by its name twice, with the metric as an object once.
"""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.facts import Facts
from firststep.analyse.initial_values import initial_values
from firststep.analyse.own_initial_values import own_values
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.spans import Seen, outermost, spans, spans_by_kind
from firststep.analyse.user_lines import line_of, programs_line, stack_lines
from firststep.causes._replayed import lies_in, of_one, replayed
from firststep.causes._stretches import joined, of_own_values, of_phases_in, of_spans, outside, time_in
from firststep.model.findings import Evidence, Found
from firststep.model.words import count, duration, plain_name

GROUP = "graph"
WATCHED = ("frameworks",)
FACTS = (initial_values, own_values, partition, spans_by_kind, path, stack_lines)
REMEDIES = ("prebuild-variables", "cache-functions")
WHY = "variables were made in the first trace"
LIFTING = (phases.VARIABLES, phases.TRACING, phases.OPTIMISATION)  # around the values, of which a graph is made to compute them
SHARE = (0.6, 0.9)  # of the first trace: the variables themselves are still made
BY_HAND = {"other": "make its variables", "program": "make its variables", "model": "model(one batch)",
           "optimizer": "optimizer.build(variables)", "metric": "metrics as objects",
           "loss": "nothing by hand: Keras keeps each output's loss"}
METRICS_ALONE = "metrics given as objects, not by name"
ALL = "make all its variables"  # where those of more than two kinds are left: on one line of the report
BY_BOOST = {"optimizer", "metric", "other"}


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
    first.sort(key=lambda one: one.span.start)
    longest = max(first, key=lambda one: one.span.end - one.span.start)
    values = given(initial_values)
    lifted = [one for one in values if one.span.labels.get("lifted")]
    wasted = outside(of_spans(first, SHARE), joined((*of_spans(values), *of_own_values(given(own_values)))))
    early = _makers(given, first) <= BY_BOOST and not any(map(of_one, first))
    can = {"prebuild-variables": early, "cache-functions": any(lies_in(one, replayed(given)) for one in first)}
    remedies = tuple(one for one in REMEDIES if can[one])
    lifting = of_phases_in(given, LIFTING, lifted, SHARE)
    more = f" and {count(len(first) - 1, 'more function')}" if len(first) > 1 else ""
    took = time_in(wasted) + time_in(lifting)
    compiled = spans(given, "model-compile")
    has_metrics = not compiled or any(one.span.labels.get("metrics", True) for one in compiled)
    return Found("variables made while tracing", Evidence(
        f"{plain_name(longest.span.name)}{more} twice, {duration(took)} the first time", line_of(given, longest)),
                 _advice(_makers(given, [longest]), remedies, has_metrics), "high", (*wasted, *lifting), remedies=remedies)


def _advice(makers: set[str], remedies: tuple[str, ...], has_metrics: bool) -> str:
    """has_metrics: whether a model was given some; of several outputs Keras keeps the losses as well, which nobody can give."""
    makers = makers if has_metrics else makers - {"metric"} or {"loss"}
    parts = list(dict.fromkeys(BY_HAND[one] for one in BY_HAND if one in makers)) or [BY_HAND["other"]]
    by_hand = METRICS_ALONE if makers == {"metric"} else ", ".join(parts) if len(parts) <= 2 else ALL
    if "prebuild-variables" in remedies:
        return f"boost makes them first; else {by_hand}"
    if remedies or makers == {"loss"}:
        return f"boost keeps it; else {by_hand}" if remedies else by_hand
    return f"{by_hand} before its first call"


def _makers(given: Facts, first: list[Seen]) -> set[str]:
    """Whose variables were made in these traces. What neither a model nor an optimizer makes in Keras's own step is a metric's; in a
    function of the program's it may be anything that has variables."""
    optimizers, models = outermost(spans(given, "optimizer-build")), outermost(spans(given, "model-build"))
    makers = set()
    for one in outermost(spans(given, "variable")):
        inside = next((trace for trace in first if lies_in(one, (trace,))), None)
        if inside is None:
            continue
        if lies_in(one, optimizers):
            makers.add("optimizer")
        elif lies_in(one, models):
            makers.add("model")
        elif not programs_line(given, str(inside.span.labels.get("source", ""))):
            makers.add("metric")
        else:
            makers.add("other" if "initialiser" in one.span.labels else "program")
    return makers
