"""A profiler runs during the first steps.

Symptom: the first step is slow and the disk is written to; without the TensorBoard callback it is not so.

Why: `TensorBoard(profile_batch=...)`, or `tf.profiler.experimental.start`, loads the profiler, records every operation and
writes a profile when it stops.

Confirmed by: the profiler's start before ready.

Remedy: profile later batches, `TensorBoard(profile_batch=(200, 210))`, in the runs that are to be profiled, and none
(`profile_batch=0`) in the others.

Source: the documentation of `keras.callbacks.TensorBoard`; the third document's profiling example.
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import spans, spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.causes._stretches import of_spans, time_in
from firststep.model.findings import Evidence, Found
from firststep.model.words import duration

GROUP = "tools"
WATCHED = ("frameworks",)
FACTS = (spans_by_kind, path, stack_lines)
REMEDIES: tuple[str, ...] = ()


def find(given: Facts) -> Found | None:
    seen = spans(given, "profiler")
    if not seen:
        return None
    cuts = of_spans(seen)
    return Found("it watches the first step", Evidence(f"{duration(time_in(cuts))} to start and stop it", line_of(given, *seen)),
                 "profile later batches: TensorBoard(profile_batch=(200, 210)), or 0", "high", cuts, whatever_it_gains=True)
