"""Variables are initialised, and overwritten before anything has read them.

Symptom: loading a model takes longer than reading its weights.

Why: a model is built with random initial values first, and then given the values that are loaded.

Confirmed by: initialisers that ran inside the loading of a model, or before `load_weights` or `set_weights` with no step in
between.

Remedy: build with `kernel_initializer="zeros"`, or `weights=None`, where a file's weights follow at once; restore a
checkpoint without running the initialiser. Wrong where only a part of the weights is loaded.

Source: the second document, "pre-loading of weights", and the fifth, `set_weights`.
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import Seen, outermost, spans, spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.causes._stretches import of_spans, time_in
from firststep.model.findings import Evidence, Found, Level
from firststep.model.words import count, duration, size

GROUP = "variables"
WATCHED = ("frameworks",)
FACTS = (spans_by_kind, path, stack_lines)
REMEDIES: tuple[str, ...] = ()
LOADS = ("model-load",)
SETS = ("weights-load", "weights-set", "checkpoint", "saver")
SHARE = (0.7, 1.0)
MOST = 0.5  # of what was initialised before: a `set_weights` of less overwrites one layer of many


def find(given: Facts) -> Found | None:
    made = tuple(one for one in outermost(spans(given, "initialiser")) if one.on_main_thread)
    loads = list(outermost(spans(given, *LOADS)))
    inside = [one for one in made if any(load.span.start <= one.span.start < load.span.end for load in loads)]
    if inside:
        return _found(given, inside, loads, "high")
    sets = spans(given, *SETS)
    if not sets:
        return None
    before = [one for one in made if one.span.end <= sets[-1].span.start]
    given_bytes = sum(int(one.span.labels.get("bytes") or 0) for one in sets)
    filled = sum(int(one.span.labels.get("bytes") or 0) for one in before)
    if not before or given_bytes < filled * MOST:
        return None
    return _found(given, before, list(sets), "medium")


def _found(given: Facts, made: list[Seen], loads: list[Seen], confidence: Level) -> Found:
    cuts = of_spans(made, SHARE)
    filled = sum(int(one.span.labels.get("bytes") or 0) for one in made)
    return Found("overwritten unread", Evidence(
        f"{count(len(made), 'initialiser')}, {duration(time_in(cuts))} for {size(filled)}, then loaded", line_of(given, *loads)),
        "build with initializer='zeros' where weights are loaded at once", confidence, cuts)
