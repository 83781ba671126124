"""A whole data set is copied into the pipeline as a constant.

Symptom: `Dataset.from_tensor_slices(array)`, or `fit` on arrays, takes seconds and twice the memory.

Why: the array becomes a constant tensor of the pipeline: it is copied, and in graph mode written into the graph.

Confirmed by: the bytes of the constants that pipelines were made of, and the time it took to make them.

Remedy: a `keras.utils.PyDataset`, a generator that yields whole batches, or TFRecord files: the data stay outside of the graph. A
generator that yields one element at a time costs more in every epoch than the copy does once.

Source: the tf.data guide, "this works well for a small dataset, but wastes memory"; the documentation of `fit`; measured: an epoch of
120,000 rows, 39 s from a generator of single rows instead of 5 s.
"""

from __future__ import annotations

from firststep.analyse.data import data
from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import outermost, spans, spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.causes._first_batch import LARGE_CONSTANTS
from firststep.causes._stretches import of_spans, time_in
from firststep.model.findings import Evidence, Found
from firststep.model.words import duration, size

GROUP = "data"
WATCHED = ("frameworks",)
FACTS = (data, spans_by_kind, path, stack_lines)
REMEDIES: tuple[str, ...] = ()
SHARE = (0.5, 0.95)


def find(given: Facts) -> Found | None:
    known = given(data)
    if known is None or known.constant_bytes < LARGE_CONSTANTS:
        return None
    made = outermost(tuple(one for one in spans(given, "data-pipeline") if one.span.labels.get("what") in ("constants", None)))
    copied, again = of_spans(made, SHARE), of_spans(spans(given, "data-iterator"), SHARE)  # the iterator is given a copy of its own
    more = f", again for an iterator in {duration(time_in(again))}" if again else ""
    return Found(f"{size(known.constant_bytes)} in the pipeline", Evidence(
        f"copied in {duration(time_in(copied))}{more}", line_of(given, *made)),
        "keras.utils.PyDataset, a generator of whole batches, or TFRecord files", "high", (*copied, *again))
