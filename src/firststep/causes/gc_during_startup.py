"""Python's garbage collector runs over and over during the start.

Symptom: a fifth of `import tensorflow` is spent in collections that free next to nothing.

Why: a start makes hundreds of thousands of objects that live as long as the program. Each time enough new ones exist,
Python walks through them in search of garbage that is not there.

Confirmed by: the collector's own callbacks: each collection on the main thread is timed.

Remedy: boost pauses the collector while libraries are imported. By hand: `gc.disable()` in the first line, `gc.enable()` after the first
step.

Source: CPython's `gc` module; measured on `import tensorflow` (docs/benchmarks.md).
"""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.collections import collections
from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.causes._stretches import of_phases
from firststep.model.findings import Evidence, Found
from firststep.model.words import count, duration

GROUP = "import"
WATCHED = ("garbage-collection",)
FACTS = (collections, partition)
REMEDIES = ("pause-garbage-collection",)
SHARE = (0.9, 1.0)  # of the collections before ready; a few come before the remedy is there, or after it ended early


def find(given: Facts) -> Found | None:
    seen = given(collections)
    if not seen or not seen.count:
        return None
    during, ns = max(seen.during.items(), key=lambda item: item[1], default=("", 0))
    middle = f", {duration(ns)} during {during}" if ns else ""
    return Found("Python looks for garbage", Evidence(f"{count(seen.count, 'collection')} took {duration(seen.ns)}{middle}"),
                 "boost pauses the collector while libraries are imported", "high", of_phases(given, phases.COLLECTION, share=SHARE))
