"""The program was ready to run, and no CPU was free.

Symptom: the same start takes twice as long at some times, or on some nodes.

Why: other work has the CPUs, or there are fewer of them than the program has busy threads.

Confirmed by: the kernel's own count of the time the main thread was runnable without running.

Remedy: more CPUs, less other work beside it, or fewer threads (`OMP_NUM_THREADS`).

Source: `/proc/<pid>/schedstat`.
"""

from __future__ import annotations

from collections.abc import Mapping

from firststep.analyse.activity import activity
from firststep.analyse.facts import Facts
from firststep.analyse.machine import machine
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.model.facts import Activity
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.words import cpu_count, duration

GROUP = "machine"
WATCHED = ("samples",)
FACTS = (activity, partition, machine, path)
REMEDIES: tuple[str, ...] = ()
LEAST = 0.1  # of the start
OWN = (0.5, 1.0)  # of the waiting: some of it the program's own threads cause
QUOTA = 0.5  # of the waiting that throttling explains: then it is the quota's


def find(given: Facts) -> Found | None:
    doing: Mapping[str, Activity] = given(activity)
    waited = sum(one.runnable_ns for one in doing.values())
    whole = given(partition)
    known = given(machine)
    if waited < whole.wall_ns * LEAST or (known and known.throttled_ns and known.throttled_ns > waited * QUOTA):
        return None
    parts = {name: one.runnable_ns / max(1, whole.phases[name]) for name, one in doing.items()}
    cuts = tuple(Cut(piece.start, piece.end, parts.get(piece.phase, 0) * OWN[0], parts.get(piece.phase, 0) * OWN[1])
                 for piece in whole.pieces)
    cpus = given.trace.header.get("host", {}).get("usable_cpus")
    load = (given.trace.header.get("host", {}).get("load") or [None])[0]
    more = f"; {cpu_count(cpus)}" if cpus else ""
    busy = f", load {load:.1f}" if isinstance(load, (int, float)) else ""
    return Found("no CPU was free", Evidence(f"{duration(waited)} of {duration(whole.wall_ns)} ready to run, but not running{more}{busy}"),
                 "more CPUs, less other work, or fewer threads (OMP_NUM_THREADS)", "high", cuts)
