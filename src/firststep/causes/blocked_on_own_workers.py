"""The start waits for worker processes that it made itself.

Symptom: the main process stands still in `Pool.map`, a queue or a future, while its workers do what a start does, each for itself.

Why: a process that is spawned begins from nothing: it imports the program's module, TensorFlow with it, and only then works. As many
as there are do so at once, on the same CPUs.

Confirmed by: the samples in which the main thread waits within Python's pools of processes (or joblib's), while such a process, which
was watched as well, used a CPU.

Remedy: let the module that workers import be small, with heavy imports inside the function that needs them; start workers early, before
the main process imports; keep them instead of making new ones; no more of them than CPUs.

Source: Python's documentation of `multiprocessing`, "Contexts and start methods".
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.causes._own_workers import own_workers
from firststep.causes._stretches import time_in
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.trace import Process
from firststep.model.words import count, duration

GROUP = "outside"
WATCHED = ("samples", "processes")
FACTS = (partition, path)
REMEDIES: tuple[str, ...] = ()
SHARE = (0.2, 0.8)  # what they are started for has to be done; what each of them imports need not
IMPORTS = 0.2  # of the wait: worth saying


def find(given: Facts) -> Found | None:
    known = own_workers(given)
    if known is None:
        return None
    cuts = tuple(Cut(piece.start, piece.end, *SHARE) for piece in known.waits)
    imports = max(_imports_ns(one) for one in known.workers)
    said = f"; imports took {duration(imports)} in one" if imports >= time_in(cuts) * IMPORTS else ""
    longest = max(known.waits, key=lambda piece: piece.end - piece.start)
    return Found("they start, too", Evidence(
        f"waited {duration(time_in(cuts))} for {count(len(known.workers), 'process', 'processes')}{said}",
        longest.verdict.line if longest.verdict else None),
        "import less in them; start them earlier, and keep them", "medium", cuts)


def _imports_ns(process: Process) -> int:
    """Of its main thread, those within others counted once."""
    total = until = 0
    for span in sorted(process.spans, key=lambda one: one.start):
        if span.kind == "import" and span.thread == process.thread and span.start >= until:
            total, until = total + span.end - span.start, span.end
    return total
