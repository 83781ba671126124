"""A `tf.function` is made anew in every round of a loop.

Symptom: each round traces a function whose code and arguments have not changed.

Why: `tf.function` keeps its traces with the function object. One that is decorated or wrapped inside a loop, or inside a
function that is called again, is a new object without any.

Confirmed by: the first traces of several function objects with the same code, arguments of the same types, the same variables,
and the same values in all that the code names. Methods of objects that all live, or closures over other objects, are functions of
their own. Each graph is optimised and run for a first time besides; after the first step, where that is not seen, as long as
before it.

Remedy: make the function once, before the loop: `@tf.function` at module level, or on a method of an object that lives as
long as the loop.

Source: the TensorFlow guide on `tf.function`; TensorFlow's own warning about retracing names it first.
"""

from __future__ import annotations

from firststep.analyse.afterwards import afterwards, late_spans
from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.spans import spans_by_kind
from firststep.causes import _retracing
from firststep.model.findings import Found

GROUP = "graph"
WATCHED = ("frameworks",)
FACTS = (spans_by_kind, path, afterwards, late_spans, partition)
REMEDIES: tuple[str, ...] = ()
DO = "decorate it once, outside of the loop"


def find(given: Facts) -> Found | None:
    return _retracing.found(given, lambda why: "the same code, a new function", lambda why: DO, lambda why: why.startswith(_retracing.LOOP))
