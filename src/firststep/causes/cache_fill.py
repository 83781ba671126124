"""A data set is written to its cache before the first batch comes.

Symptom: the first epoch begins late, later ones at once.

Why: `cache()` keeps elements as they pass. Before a `shuffle` or another transformation that reads far ahead, all of them
pass before the first batch; a cache in a file writes them to the disk as well.

Confirmed by: a cache in the pipeline before a shuffle, and the wait for the first element.

Remedy: shuffle file names before the cache instead of elements after it, cache to a file that the next start finds, or
iterate on a small sample.

Source: the tf.data performance guide.
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.spans import spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.causes._first_batch import cache_filled, made
from firststep.causes._stretches import time_in
from firststep.model.findings import Evidence, Found
from firststep.model.words import duration

GROUP = "data"
WATCHED = ("frameworks",)
FACTS = (spans_by_kind, partition, path, stack_lines)
REMEDIES: tuple[str, ...] = ()
SHARE = (0.3, 0.95)


def find(given: Facts) -> Found | None:
    filled = cache_filled(given, SHARE)
    if filled is None:
        return None
    return Found("all of it passes the cache first", Evidence(
        f"{duration(time_in(filled.cuts))} before the first element", line_of(given, *made(given, "cache"))),
        "shuffle file names before the cache, or try on a sample", "medium", filled.cuts)
