"""A shuffle buffer is filled before the first batch.

Symptom: minutes before the first step; TensorFlow logs "Filling up shuffle buffer (this may take a while)".

Why: `shuffle(n)` reads n elements before it gives one. After `map` or `batch` each of them has been decoded, or is a whole
batch.

Confirmed by: a shuffle in the pipeline, what comes before it, and the wait for the first element. Where that is not seen apart
from the first step only a buffer counts whose elements had to be made, or that is so large that slices of an array fill it as slowly.

Remedy: shuffle before `map` and `batch`, where elements are small, and in a smaller buffer; shuffle file names first. The
order of the elements changes. Where a generator of the program's makes the elements, and TensorFlow counts that it worked for longer than
all behind it, only a smaller buffer helps, or a shuffle of what the generator reads.

Source: tensorflow/tensorflow#47687 (over five minutes to the first batch); the tf.data guide.
"""

from __future__ import annotations

from firststep.analyse.data import data, worked
from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.spans import Seen, spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.causes._first_batch import buffer_filled, made
from firststep.causes._stretches import time_in
from firststep.model.findings import Evidence, Found
from firststep.model.words import duration

GROUP = "data"
WATCHED = ("frameworks",)
FACTS = (data, worked, spans_by_kind, partition, path, stack_lines)
REMEDIES: tuple[str, ...] = ()
COSTLY = ("Map", "ParallelMap", "Batch", "ParallelBatch", "FlatMap", "Interleave", "ParallelInterleave")
GENERATOR = "Generator"
FROM_GENERATOR = ("Tensor", "FlatMap")  # what `from_generator` is made of
SHARE = (0.5, 0.95)  # of the wait: all but the elements of the first batch


def find(given: Facts) -> Found | None:
    known = given(data)
    filled = buffer_filled(given, SHARE)
    if known is None or filled is None:
        return None
    before = filled.pipeline.before_shuffle or ()
    of_generator = before[:2] == FROM_GENERATOR
    after = [name for name in (before[2:] if of_generator else before) if name in COSTLY]
    took = given(worked)
    if of_generator and took[GENERATOR] > sum(took[name] for name in COSTLY):  # shuffle before map would leave that as it is
        after = []
    times = f", {filled.times} times" if filled.times > 1 else ""
    evidence = Evidence(f"{known.shuffle_buffer:,} elements, {duration(time_in(filled.cuts))} before the first{times}",
                        line_of(given, *_of_size(made(given, "shuffle"), known.shuffle_buffer)))
    if after:
        do = "a smaller buffer, or shuffle before map" if of_generator else "shuffle before map and batch, in a smaller buffer"
        return Found(f"after {after[-1].lower().removeprefix('parallel')}", evidence, do,
                     "high" if filled.pipeline.apart else "medium", filled.cuts)
    if of_generator:
        return Found("of a generator", evidence, "a smaller buffer; shuffle what the generator reads", "medium", filled.cuts)
    return Found("a large one", evidence, "a smaller buffer fills sooner", "medium", filled.cuts)


def _of_size(put: tuple[Seen, ...], buffer: int | None) -> tuple[Seen, ...]:
    """Those with that buffer: `list_files` shuffles as well."""
    return tuple(one for one in put if one.span.labels.get("buffer_size") == buffer) or put
