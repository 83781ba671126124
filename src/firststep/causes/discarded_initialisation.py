"""Variables are initialised, and overwritten before anything has read them.

Symptom: loading a model takes longer than reading its weights.

Why: a model is built with random initial values first, and then given the values that are loaded.

Confirmed by: initialisers that ran inside the loading of a model, or before `load_weights`, `set_weights` or the `assign` of
each variable, with no step in between; or what the line computed that made a variable of it (`tf.Variable(tf.random.normal(shape))`).

Remedy: build with `kernel_initializer="zeros"` where a file's weights follow at once; restore a checkpoint without running the
initialiser. Wrong where only a part of the weights is loaded. `load_model` builds with the initialisers that the file names, whatever it is
told; a model that only predicts can be exported (`model.export`), and is loaded without. Where a library builds the model
(`keras.applications`, with `weights=None` too), no argument takes the values away.

Source: the second document, "pre-loading of weights", and the fifth, `set_weights`.
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.given_values import given_values
from firststep.analyse.initial_values import initial_values, values_in
from firststep.analyse.own_initial_values import own_initial_values
from firststep.analyse.path import path
from firststep.analyse.spans import spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.causes._overwritten import LOADS, Overwritten, filled, is_built_by_a_library, overwritten
from firststep.causes._stretches import of_own_values, of_spans, time_in
from firststep.model.findings import Evidence, Found
from firststep.model.words import count, duration, size

GROUP = "variables"
WATCHED = ("frameworks",)
FACTS = (given_values, initial_values, own_initial_values, spans_by_kind, path, stack_lines)
REMEDIES: tuple[str, ...] = ()
SHARE = (0.7, 1.0)


def find(given: Facts) -> Found | None:
    known = overwritten(given)
    if known is None:
        return None
    cuts = tuple(sorted((*of_spans(known.made, SHARE), *of_own_values(known.own, SHARE))))
    return Found("overwritten unread", Evidence(
        f"{count(values_in(known.values), 'initialiser')}, {duration(time_in(cuts))} for {size(filled(known.values))}, then {known.how}",
        line_of(given, *known.by)), _advice(known), known.confidence, cuts)


def _advice(known: Overwritten) -> str:
    """What whoever wrote the line can do about it."""
    if all(one.span.kind in LOADS for one in known.by):
        return "load_model always does it; to predict alone, export() the model"
    if is_built_by_a_library(known.values):
        return "no edit: the library that builds it takes no initializer"
    zeros = "initializer='zeros'" if known.made else "zeros"
    return f"{zeros} where weights are loaded at once"
