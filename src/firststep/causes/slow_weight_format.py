"""Weights are read from a format that is slow to read.

Symptom: loading takes seconds though the file is in memory, at a few megabytes a second.

Why: `.keras` is a zip file around an HDF5 file, `.h5` is read data set by data set in Python, and a SavedModel rebuilds its
functions first; each array passes through several copies.

Confirmed by: the load's megabytes per second, the network and the disk not being waited for.

Remedy: build the model in code and load its weights alone, or save it as `.keras`; measure it, for `.h5` is not slow by
itself.

Source: the first and the second document; keras-team/keras#19793 (26.9 to 2.1 s by reading outside of the zip).
"""

from __future__ import annotations

import os

from firststep.analyse.facts import Facts
from firststep.analyse.loads import loads
from firststep.analyse.path import path
from firststep.analyse.user_lines import line_between, stack_lines
from firststep.model.facts_frameworks import Load
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.words import duration, size

GROUP = "weights"
WATCHED = ("frameworks",)
FACTS = (loads, path, stack_lines)
REMEDIES: tuple[str, ...] = ()
FAST = 1000  # MB/s that memory gives with ease; what is read much below that waits for the format
SLOW = 300  # MB/s
FORMATS = (".h5", ".hdf5", ".keras", ".weights.h5")
SLOW_NS = 100_000_000
SHARE = 0.3  # of the load at least: a model still has to be built


def find(given: Facts) -> Found | None:
    slow = [one for one in given(loads) if one.path.endswith(FORMATS) and one.ns >= SLOW_NS
            and one.megabytes_per_second is not None and one.megabytes_per_second < SLOW]
    if not slow:
        return None
    most = max(slow, key=lambda one: one.ns)
    spare = 1 - (most.megabytes_per_second or 0) / FAST
    process = given(path)[-1].process
    return Found(f"{os.path.splitext(most.path)[1]} at {most.megabytes_per_second:.0f} MB/s", Evidence(
        f"{os.path.basename(most.path)}, {size(most.bytes or 0)} in {duration(most.ns)}",
        line_between(given, process, most.start, most.start + most.ns)),
        _advice(most), "medium",
        tuple(Cut(one.start, one.start + one.ns, SHARE * spare, 0.9 * spare) for one in slow))


def _advice(load: Load) -> str:
    if load.kind == "model-load":
        return "build the model in code and load its weights alone; measure it first"
    return "fewer and larger arrays; measure other formats"
