"""The main thread stands still: it waits for another thread of the program, or sleeps.

Symptom: no CPU is used, no server is asked, and the start goes on only when a queue, a lock or a future lets it, or a pause is over.

Why: work was given to a thread and its result is wanted at once (`Queue.get`, `Thread.join`, `Future.result`), or a program sleeps until
something else is thought to be ready (`time.sleep` between two tries).

Confirmed by: samples in which the kernel has the main thread in a lock or asleep, and Python has it in `threading`, `queue` or
`concurrent.futures`, or in the program's own line. Waits for worker processes, servers and the frameworks' own threads are other causes'.

Remedy: begin that work before the imports, which take seconds anyway, and wait for it where its result is used; wait for the thing itself
(an event, an answer) rather than for a time.

Source: Python's documentation of `queue` and `concurrent.futures`; measured: a `Queue.get` of 18 s in a start of 25.
"""

from __future__ import annotations

from collections.abc import Mapping

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.phases import LIBRARIES, USER
from firststep.analyse.system_calls import waits_for
from firststep.causes._own_workers import own_workers
from firststep.causes._stretches import time_in
from firststep.model.facts import Piece
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.words import duration

GROUP = "outside"
WATCHED = ("samples",)
FACTS = (partition, path)
REMEDIES: tuple[str, ...] = ()
WAITS_IN = ("/threading.py", "/queue.py", "/concurrent/futures/_base.py", "/asyncio/base_events.py", "/selectors.py")
LOCKED, ASLEEP = "lock_ns", "sleeping_ns"
LEAST_NS = 100_000_000
SHARE = (0.2, 1.0)  # what is waited for may have to be done, though seldom while nothing else is


def find(given: Facts) -> Found | None:
    kinds = waits_for(str(given.trace.header.get("host", {}).get("machine", "")))
    workers = own_workers(given)  # another cause's
    theirs = {piece.start for piece in workers.waits} if workers else set()
    waits = {kind: [piece for piece in given(partition).pieces if piece.start not in theirs and _stands(piece, kinds) == kind]
             for kind in (LOCKED, ASLEEP)}
    took = {kind: sum(piece.end - piece.start for piece in found) for kind, found in waits.items()}
    kind = max(took, key=lambda one: took[one])
    cuts = tuple(sorted(Cut(piece.start, piece.end, *SHARE) for found in waits.values() for piece in found))
    if time_in(cuts) < LEAST_NS:
        return None
    longest = max(waits[kind], key=lambda piece: piece.end - piece.start)
    line, called = (longest.verdict.line, longest.verdict.called) if longest.verdict else (None, "")
    if kind == ASLEEP:
        return Found("it sleeps", Evidence(f"{duration(took[kind])} asleep", line),
                     "wait for the thing itself, not for a time", "medium", cuts)
    where = f", in {called}" if called else ""
    return Found("it waits for a thread", Evidence(f"{duration(took[kind])} for another thread of the program{where}", line),
                 "begin it before the imports; wait where it is used", "medium", cuts)


def _stands(piece: Piece, kinds: Mapping[int, str]) -> str | None:
    """What the main thread waits for there, where the program's own code has it wait."""
    sample, verdict = piece.sample, piece.verdict
    if sample is None or verdict is None or verdict.line is None or piece.phase not in (USER, LIBRARIES) or sample.state != "S":
        return None
    innermost = sample.stack[-1].file
    return kinds.get(sample.call) if innermost == verdict.line.file or innermost.endswith(WAITS_IN) else None
