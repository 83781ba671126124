"""A shuffle buffer is filled before the first batch.

Symptom: minutes before the first step; TensorFlow logs "Filling up shuffle buffer (this may take a while)".

Why: `shuffle(n)` reads n elements before it gives one. After `map` or `batch` each of them has been decoded, or is a whole
batch.

Confirmed by: a shuffle in the pipeline, what comes before it, and the wait for the first element. In `fit` that is not seen apart from
the first step: there only a buffer counts whose elements had to be made, or that is so large that slices of an array fill it as slowly.

Remedy: shuffle before `map` and `batch`, where elements are small, and in a smaller buffer; shuffle file names first. The
order of the elements changes.

Source: tensorflow/tensorflow#47687 (over five minutes to the first batch); the tf.data guide.
"""

from __future__ import annotations

from firststep.analyse.data import data
from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.spans import spans, spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.causes._first_batch import chains, fills_a_cache, made, waits
from firststep.causes._stretches import time_in
from firststep.model.findings import Evidence, Found
from firststep.model.words import duration

GROUP = "data"
WATCHED = ("frameworks",)
FACTS = (data, spans_by_kind, partition, path, stack_lines)
REMEDIES: tuple[str, ...] = ()
COSTLY = ("Map", "ParallelMap", "Batch", "ParallelBatch", "FlatMap", "Interleave", "ParallelInterleave")
SHARE = (0.5, 0.95)  # of the wait: all but the elements of the first batch
SLOW_NS = 200_000_000
FEW = 2  # elements
AT_HAND = ("TensorSlice", "Tensor", "Range", "Repeat", "Take", "Skip", "Shard", "Options", "Prefetch", "Shuffle", "ShuffleAndRepeat")
SLICE_NS = 50_000  # an element at hand comes sooner


def find(given: Facts) -> Found | None:
    known = given(data)
    if known is None or (known.shuffle_buffer or 0) < FEW:
        return None
    before = _before_shuffle(given)
    elements = waits(given, SHARE)
    waited = time_in(elements)
    if waited < SLOW_NS or before is None:
        return None
    apart = spans(given, "data-first-element")
    if not apart and set(before) <= set(AT_HAND) and waited > (known.shuffle_buffer or 0) * SLICE_NS:
        return None  # most of it was the step
    after = [name for name in before if name in COSTLY]
    seen = made(given, "shuffle")
    if after:
        return Found(f"after {after[-1].lower().removeprefix('parallel')}", Evidence(
            f"{known.shuffle_buffer:,} elements, {duration(waited)} before the first", line_of(given, *seen)),
            "shuffle before map and batch, in a smaller buffer", "high" if apart else "medium", elements)
    return Found("a large one", Evidence(f"{known.shuffle_buffer:,} elements, {duration(waited)} before the first",
                                         line_of(given, *seen)), "a smaller buffer fills sooner", "medium", elements)


def _before_shuffle(given: Facts) -> list[str] | None:
    """Transformations before the (last) shuffle of the longest chain; None where no chain has one, or a cache is what is filled."""
    with_shuffle = [chain for chain in chains(given) if "Shuffle" in chain and not fills_a_cache(chain)]
    if not with_shuffle:
        return None
    chain = max(with_shuffle, key=len)
    return chain[: len(chain) - 1 - chain[::-1].index("Shuffle")]
