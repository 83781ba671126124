"""A SavedModel's functions are all rebuilt before one of them is called.

Symptom: `load_model` of a folder, or `tf.saved_model.load`, takes many times as long as reading its weights.

Why: a SavedModel holds a graph for every function that was ever traced; loading rebuilds each of them in Python, signatures,
training functions and all, though a server calls one. `model.export` alone keeps a model's graph several times over.

Confirmed by: the time inside the loader's import of the function library, and the number of functions.

Remedy: save one `tf.function` on a `tf.Module` that holds the variables, by `tf.saved_model.save`, and call that one after loading.
Weights loaded into a model that is built in code do without the loader; a large model takes longer to build and trace than that saves.

Source: `tensorflow/python/saved_model/load.py`; reported: 47 s against 9 s with weights loaded into a model built in code; measured: 2.3 s
slower so for a ResNet50 saved by `model.export`.
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import outermost, spans, spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.causes._stretches import of_spans, time_in
from firststep.model.findings import Evidence, Found
from firststep.model.words import count, duration

GROUP = "weights"
WATCHED = ("frameworks",)
FACTS = (spans_by_kind, path, stack_lines)
REMEDIES: tuple[str, ...] = ()
SHARE = (0.3, 0.9)
SLOW_NS = 100_000_000


def find(given: Facts) -> Found | None:
    loads = [one for one in spans(given, "model-load") if one.span.labels.get("format") == "saved_model"]
    inside = tuple(one for one in spans(given, "graph-import")
                   if any(load.span.start <= one.span.start < load.span.end for load in loads))
    cuts = of_spans(outermost(inside), SHARE)
    if time_in(cuts) < SLOW_NS:
        return None
    functions = max((int(one.span.labels.get("functions", 0)) for one in inside), default=0)
    return Found("all, for one call", Evidence(
        f"{count(functions, 'function')} rebuilt in {duration(time_in(cuts))}", line_of(given, *loads)),
        "save the one function that is called, on a tf.Module", "high", cuts)
