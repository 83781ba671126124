"""Weights are read from a format that is slow to read.

Symptom: loading takes seconds though the file is in memory, at a few megabytes a second.

Why: `.keras` is a zip file around an HDF5 file, `.h5` is read data set by data set in Python, and a SavedModel rebuilds its
functions first; each array passes through several copies.

Confirmed by: the load's megabytes per second, without what it spends on making the model's layers and variables, on imports, and
waiting for the disk or for a CPU.

Remedy: build the model in code and load its weights alone, from `.weights.h5` or `.h5`; measure it, for `.h5` is not slow by
itself, and `.keras` no faster.

Source: the first and the second document; keras-team/keras#19793 (26.9 to 2.1 s by reading outside of the zip).
"""

from __future__ import annotations

import os

from firststep.analyse import phases
from firststep.analyse.activity import activity
from firststep.analyse.facts import Facts
from firststep.analyse.loads import loads
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.user_lines import line_between, stack_lines
from firststep.causes._stretches import a_share, of_phases, time_in
from firststep.model.facts import Activity
from firststep.model.facts_frameworks import Load
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.words import duration, size

GROUP = "weights"
WATCHED = ("frameworks",)
FACTS = (activity, loads, path, partition, stack_lines)
REMEDIES: tuple[str, ...] = ()
FAST = 1000  # MB/s that memory gives with ease; what is read much below that waits for the format
SLOW = 300  # MB/s
FORMATS = (".h5", ".hdf5", ".keras", ".weights.h5")
SLOW_NS = 100_000_000
SHARE = (0.3, 0.9)  # of the reading


def find(given: Facts) -> Found | None:
    reading = of_phases(given, phases.WEIGHTS)
    doing = given(activity).get(phases.WEIGHTS, Activity())
    working = 1 - (doing.disk_ns + doing.runnable_ns) / max(1, time_in(reading))
    slow = [one for one in given(loads) if one.path.endswith(FORMATS) and _is_slow(one, working)]
    if not slow:
        return None
    most = max(slow, key=lambda one: one.read_ns)
    speed = most.megabytes_per_second or 0
    spare = (1 - speed / FAST) * working
    process = given(path)[-1].process
    return Found(f"{os.path.splitext(most.path)[1]} at {speed:.0f} MB/s", Evidence(
        f"{os.path.basename(most.path)}, {size(most.bytes or 0)} read in {duration(most.read_ns)}",
        line_between(given, process, most.start, most.start + most.ns)),
        _advice(most), "medium",
        a_share((SHARE[0] * spare, SHARE[1] * spare), (cut for one in slow for cut in _inside(one, reading))))


def _inside(load: Load, reading: tuple[Cut, ...]) -> tuple[Cut, ...]:
    """What of a load was reading: a piece of a phase never crosses a span's edge."""
    return tuple(cut for cut in reading if load.start <= cut.start < load.start + load.ns)


def _is_slow(load: Load, working: float) -> bool:
    """working: the share of the time in which neither the disk nor a CPU was waited for."""
    return load.read_ns * working >= SLOW_NS and 0 < (load.megabytes_per_second or 0) < SLOW * working


def _advice(load: Load) -> str:
    if load.kind == "model-load":
        return "build the model, load its weights alone; measure it first"
    return "fewer and larger arrays; measure other formats"
