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
from firststep.analyse.system_calls import waits_for
from firststep.causes._stretches import time_in
from firststep.model.facts import Piece
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.trace import Process
from firststep.model.words import count, duration

GROUP = "outside"
WATCHED = ("samples", "processes")
FACTS = (partition, path)
REMEDIES: tuple[str, ...] = ()
WAITS_IN = ("/multiprocessing/", "/concurrent/futures/", "/joblib/", "/loky/")
DEEP = 6  # frames from there to the wait: an event, a condition, a lock
SHARE = (0.2, 0.8)  # what they are started for has to be done; what each of them imports need not
LEAST_NS = 100_000_000
WORKED = 0.2  # of the wait: a CPU for less is none that was waited for
IMPORTS = 0.2  # of the wait: worth saying


def find(given: Facts) -> Found | None:
    machine = str(given.trace.header.get("host", {}).get("machine", ""))
    ends = {call for call, what in waits_for(machine).items() if what == "child_ns"}  # of a process that ends: another cause's
    waits = [piece for piece in given(partition).pieces if _waits(piece) and piece.sample and piece.sample.call not in ends]
    if sum(piece.end - piece.start for piece in waits) < LEAST_NS:
        return None
    began, ended = waits[0].start, waits[-1].end
    on_path = {id(leg.process) for leg in given(path)}
    workers = [one for one in given.trace.processes if id(one) not in on_path and _ran_ns(one, began, ended) >= (ended - began) * WORKED]
    cuts = tuple(Cut(piece.start, piece.end, *SHARE) for piece in waits)
    if not workers:
        return None
    imports = max(_imports_ns(one) for one in workers)
    said = f"; imports took {duration(imports)} in one" if imports >= time_in(cuts) * IMPORTS else ""
    longest = max(waits, key=lambda piece: piece.end - piece.start)
    return Found("they start, too", Evidence(f"waited {duration(time_in(cuts))} for {count(len(workers), 'process', 'processes')}{said}",
                                             longest.verdict.line if longest.verdict else None),
                 "import less in them; start them earlier, and keep them", "medium", cuts)


def _waits(piece: Piece) -> bool:
    if piece.sample is None or piece.sample.state == "R":
        return False
    return any(part in frame.file for frame in piece.sample.stack[-DEEP:] for part in WAITS_IN)


def _ran_ns(process: Process, start: int, end: int) -> int:
    """How long its main thread had a CPU between two moments."""
    seen = [sample.ran for sample in process.samples if start <= sample.at <= end]
    return seen[-1] - seen[0] if seen else 0


def _imports_ns(process: Process) -> int:
    """Of its main thread, those within others counted once."""
    total = until = 0
    for span in sorted(process.spans, key=lambda one: one.start):
        if span.kind == "import" and span.thread == process.thread and span.start >= until:
            total, until = total + span.end - span.start, span.end
    return total
