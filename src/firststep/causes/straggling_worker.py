"""One worker process is later than the others.

Symptom: several processes start at once, and all wait for the one that is ready last.

Why: it has more to load, a colder disk, or a busier CPU. What all of them wait for is its start.

Confirmed by: the processes' own times to their first step.

Remedy: compare its report with that of another worker: `firststep diff --anyway`.

Source: the fifth document, "distributed TensorFlow setups across multiple GPUs".
"""

from __future__ import annotations

from statistics import median

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.processes import processes
from firststep.model.findings import Evidence, Found, Gain
from firststep.model.words import duration

GROUP = "outside"
WATCHED = ("processes",)
FACTS = (processes, path)
REMEDIES: tuple[str, ...] = ()
LATER = 1.3  # times as long as the usual one
FEWEST = 3  # workers, to know what is usual


def find(given: Facts) -> Found | None:
    ready = [(one.own_ready_ns, one) for one in given(processes) if one.own_ready_ns]
    if len(ready) < FEWEST:
        return None
    usual = median(ns for ns, _ in ready)
    last, process = max(ready, key=lambda item: item[0])
    if last < usual * LATER:
        return None
    late = round(last - usual)
    end = given.trace.ready  # the first worker's: one that comes later has cost this start nothing
    came_later = end is not None and process.began + last > end.at
    return Found("the others wait for it", Evidence(
        f"pid {process.pid} took {duration(last)} to its first step, the others {duration(round(usual))}"),
        "compare it with another's: firststep diff --anyway A B", "medium", gain=Gain(0, late), after_ready=came_later)
