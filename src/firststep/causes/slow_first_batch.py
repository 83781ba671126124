"""The first batch is long in coming.

Symptom: `fit` stands still before its first step, and one CPU, or the disk, is busy.

Why: a pipeline does nothing until it is asked: then it opens files, traces its functions, fills its buffers and prepares
whole batches, before the first can be used.

Confirmed by: the time of making iterators, the functions traced for them, and the wait for the first element.

Remedy: boost keeps the pipeline's functions. By hand: `prefetch`, `map` with `num_parallel_calls`, and small elements first.

Source: the tf.data performance guide; tensorflow/tensorflow#47687.
"""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.data import data
from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.spans import spans, spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.causes._first_batch import LARGE_CONSTANTS
from firststep.causes._stretches import of_phases, of_spans, time_in
from firststep.model.findings import Evidence, Found
from firststep.model.words import count, duration

GROUP = "data"
WATCHED = ("frameworks",)
FACTS = (data, partition, spans_by_kind, path, stack_lines)
REMEDIES = ("cache-functions",)
SHARE = (0.2, 0.7)
SLOW_NS = 100_000_000


def find(given: Facts) -> Found | None:
    cuts, known = of_phases(given, phases.DATA, share=SHARE), given(data)
    if known is not None and known.constant_bytes >= LARGE_CONSTANTS:  # another cause, but for the wait when all is made
        cuts = of_spans(spans(given, "data-first-element"), SHARE)
    if known is None or time_in(cuts) < SLOW_NS:
        return None
    functions = sum(one.ns for one in known.functions)
    traced = functions > time_in(cuts) / 2
    parts = [f"{count(len(known.functions), 'function')} traced in {duration(functions)}" if functions else "",
             f"{duration(known.first_element_ns)} for the first element" if known.first_element_ns else ""]
    said = "".join(f", {part}" for part in parts if part)
    seen = spans(given, "data-first-element", "data-iterator", "data-function")
    return Found("the input pipeline", Evidence(f"{duration(time_in(cuts))}{said}", line_of(given, *seen)),
                 "boost keeps its functions; prefetch, and parallel map" if traced else "prefetch, parallel map, small elements first",
                 "medium", cuts, remedies=REMEDIES if traced else ())
