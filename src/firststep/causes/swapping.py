"""Memory is short: pages are written to swap and read back.

Symptom: everything is slow, the disk is busy, and it grows worse from round to round.

Why: the program, with all else on the machine, needs more memory than there is.

Confirmed by: memory of the process that is in swap, and page faults that waited for the disk.

Remedy: more memory, or less of it used: a smaller batch, model or data set.

Source: `/proc/<pid>/status` (VmSwap); the fourth document, "less efficient memory management techniques like paging".
"""

from __future__ import annotations

from firststep.analyse.activity import activity
from firststep.analyse.facts import Facts
from firststep.analyse.machine import machine
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.causes._stretches import a_share
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.words import count, duration, size

GROUP = "machine"
WATCHED = ("machine",)
FACTS = (machine, activity, partition, path)
REMEDIES: tuple[str, ...] = ()
MUCH = 50_000_000  # bytes in swap: a few pages always may be


def find(given: Facts) -> Found | None:
    known, whole = given(machine), given(partition)
    if known is None or (known.swap or 0) < MUCH:
        return None
    waited = sum(one.disk_ns for one in given(activity).values())
    part = min(1.0, waited / whole.wall_ns) if whole.wall_ns else 0.0
    return Found("memory is short", Evidence(
        f"{size(known.swap or 0)} in swap, {duration(waited)} waiting for the disk, {count(known.major_faults or 0, 'fault')}"),
        "more memory, or less: a smaller batch, model or data set", "medium",
        a_share((0.0, part), [Cut(whole.start, whole.end)]), whatever_it_gains=True)
