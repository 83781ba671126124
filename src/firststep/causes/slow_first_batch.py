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
from firststep.analyse.spans import spans, spans_by_kind, total_ns
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
DO = {
    "functions": "boost keeps its functions; prefetch, and parallel map",
    "start": "fewer transformations in it",
    "element": "prefetch, parallel map, small elements first",
}


def find(given: Facts) -> Found | None:
    cuts, known = of_phases(given, phases.DATA, share=SHARE), given(data)
    if known is not None and known.constant_bytes >= LARGE_CONSTANTS:  # another cause, but for the wait when all is made
        cuts = of_spans(spans(given, "data-first-element"), SHARE)
    if known is None or time_in(cuts) < SLOW_NS:
        return None
    took = {"functions": sum(one.ns for one in known.functions), "start": total_ns(spans(given, "data-iterator")),
            "element": known.first_element_ns or 0}
    said = "".join(f", {_words(part, ns, len(known.functions))}" for part, ns in sorted(took.items(), key=lambda item: -item[1]) if ns)
    boosted = took["functions"] > time_in(cuts) / 2
    most = "functions" if boosted else max(took, key=lambda part: took[part])
    seen = spans(given, "data-first-element", "data-iterator", "data-function")
    return Found("the input pipeline", Evidence(f"{duration(time_in(cuts))}{said}", line_of(given, *seen)),
                 DO[most], "medium", cuts, remedies=REMEDIES if boosted else ())


def _words(part: str, ns: int, functions: int) -> str:
    return {"functions": f"{count(functions, 'function')} traced in {duration(ns)}", "start": f"{duration(ns)} to start it",
            "element": f"{duration(ns)} for the first element"}[part]
