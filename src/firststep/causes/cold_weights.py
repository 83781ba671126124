"""Weights come from the disk while the program waits.

Symptom: loading a large model takes much longer after a boot, or on a fresh node, than the second time.

Why: the file is read when its values are asked for, after the imports, though its name was known long before.

Confirmed by: the time the main thread was blocked on the disk while weights were loaded.

Remedy: boost reads the files ahead while it imports; else keep weights on a local disk.

Source: the first and the second document, "loading pre-trained weights from disk".
"""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.activity import activity
from firststep.analyse.facts import Facts
from firststep.analyse.loads import loads
from firststep.analyse.partition import partition
from firststep.causes._stretches import a_share, of_phases, time_in
from firststep.model.facts import Activity
from firststep.model.findings import Evidence, Found
from firststep.model.words import duration, size

GROUP = "weights"
WATCHED = ("frameworks", "samples")
FACTS = (activity, partition, loads)
REMEDIES = ("prefetch-pages",)
LEAST = 0.2  # of the phase
SHARE = (0.5, 0.95)  # of the waiting


def find(given: Facts) -> Found | None:
    waited = given(activity).get(phases.WEIGHTS, Activity()).disk_ns
    whole = of_phases(given, phases.WEIGHTS)
    total = time_in(whole)
    if not total or waited < total * LEAST:
        return None
    part = waited / total
    read = sum(one.bytes or 0 for one in given(loads))
    return Found("read while the program waits", Evidence(
        f"{duration(waited)} of {duration(total)} waiting for disk{f', {size(read)}' if read else ''}"),
        "boost reads them ahead while it imports", "high", a_share((SHARE[0] * part, SHARE[1] * part), whole))
