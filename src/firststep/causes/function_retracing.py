"""A `tf.function` is traced again for every new shape, type or Python value.

Symptom: steps that should take milliseconds take a second, at the first step and now and then after it.

Why: a trace holds for the types of its arguments. A tensor of another shape or type, or a Python number of another value,
is another type: TensorFlow traces, optimises and instantiates the function for it anew.

Confirmed by: the types of each trace against those of the traces before: what differs is named. A trace for sizes that are
left open holds for all of them, and is no such; a flag or a text (`training=True`) is meant to have a graph for each of a few
values. Each graph is optimised and run for a first time besides; after the first step, where that is not seen, as long as
before it.

Remedy: pass numbers as tensors (`tf.constant(n)`), name an `input_signature`, or `reduce_retracing=True`; pad what differs
in length, or `drop_remainder=True` for the last batch.

Source: the TensorFlow guide on `tf.function`; tensorflow/tensorflow#67033; the fourth and the fifth document.
"""

from __future__ import annotations

from firststep.analyse.afterwards import afterwards, late_spans
from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.reasons import is_mode, is_relaxed, reason
from firststep.analyse.spans import spans_by_kind
from firststep.causes import _retracing
from firststep.model.findings import Found

GROUP = "graph"
WATCHED = ("frameworks",)
FACTS = (spans_by_kind, path, afterwards, late_spans, partition)
REMEDIES: tuple[str, ...] = ()
VALUES = "give it tensors instead of Python values, and an input_signature"
SHAPES = "reduce_retracing=True, an input_signature with None, or padding"
FEWER = "fewer values of it: each has a graph of its own"
FEW = 3  # traces of a function: one more shape, or two (the last, shorter batches), is nobody's mistake
MODES = 5  # traces of a function by flags and texts, each of which has a few values
OTHERS = "an input_signature, and arguments of the same types in every call"


def find(given: Facts) -> Found | None:
    return (_retracing.found(given, _what, _advice, lambda why: _is_one(why) and not is_mode(why), FEW)
            or _retracing.found(given, _what, _advice, lambda why: _is_one(why) and is_mode(why), MODES))


def _is_one(why: str) -> bool:
    return bool(why) and not why.startswith((*_retracing.USUAL, _retracing.LOOP)) and not is_relaxed(why)


def _what(why: str) -> str:
    known = reason(why)
    return f"{known.argument} {known.words}" if known else "new types of arguments"


def _advice(why: str) -> str:
    known = reason(why)
    if known and known.is_pythons:
        return FEWER if is_mode(why) else VALUES
    return SHAPES if ": shape" in why else OTHERS
