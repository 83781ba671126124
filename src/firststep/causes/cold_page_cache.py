"""The start waits for the disk, one page after the other.

Symptom: the first start after a boot, a deployment or on a fresh node takes twice as long as the next.

Why: code and bytecode that are not in memory are read when a page fault asks for them: thousands of small reads.

Confirmed by: the time the main thread was blocked on the disk while modules and libraries were loaded.

Remedy: boost reads ahead what the last start read. In an image: keep the layer on a local disk, or have a start before the
one that counts.

Source: `/proc/<pid>/task/<tid>/syscall`; measured with a dropped page cache (docs/benchmarks.md).
"""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.activity import activity
from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.shortages import shortages
from firststep.causes._stretches import a_share, of_phases, time_in
from firststep.model.facts import Activity
from firststep.model.findings import Evidence, Found
from firststep.model.words import count, duration

GROUP = "import"
WATCHED = ("samples",)
FACTS = (activity, partition, path, shortages)
REMEDIES = ("prefetch-pages",)
PHASES = (phases.IMPORTS, phases.NATIVE, phases.INTERPRETER)
LEAST = 0.1  # of these phases waiting for the disk
SHARE = (0.2, 0.7)  # of the waiting: reading ahead overlaps it with the rest (measured: docs/benchmarks.md, the page cache dropped)


def find(given: Facts) -> Found | None:
    waited = sum(given(activity).get(phase, Activity()).disk_ns for phase in PHASES)
    whole = of_phases(given, *PHASES)
    total = time_in(whole)
    if not total or waited < total * LEAST:
        return None
    part = waited / total
    faults = sum(given(shortages)[phase].faults_from_disk or 0 for phase in PHASES if phase in given(shortages))
    pages = f", {count(faults, 'page fault')}" if faults else ""
    return Found("files come from the disk", Evidence(
        f"{duration(waited)} of {duration(total)} of loading was waiting for the disk{pages}"),
                 "boost reads ahead; in an image: keep the layer warm, or on a local disk", "high",
                 a_share((SHARE[0] * part, SHARE[1] * part), whole))
