"""The main thread stands still: it waits for another thread, a worker process, a file's lock, an event or input, or sleeps.

Symptom: no CPU is used, no server is asked, and the start goes on only when a queue, a lock or a future lets it, or a pause is over, or
something has been typed or written to a pipe.

Why: work was given to a thread and its result is wanted at once (`Queue.get`, `Thread.join`, `Future.result`), or a program sleeps until
something else is thought to be ready (`time.sleep` between two tries; SQLite does so while another process writes), or another process
holds the lock of a file (`flock`), or nothing is ready in an event loop (`asyncio.run`), or a question is not answered yet (`input`).

Confirmed by: samples in which the kernel has the main thread in a lock, asleep, or in a call that reads, writes or polls, and Python has
it in `threading`, `queue`, `concurrent.futures` or `asyncio`, or in the program's own line, and hardly uses a CPU. Waits for worker
processes that work, for servers and for the frameworks' own threads are other causes': a line that waits in a lock while Python has no
other thread waits for native ones, as for a value that TensorFlow still computes.

Remedy: let that work go on beside the imports, which take seconds anyway, and wait for it where its result is used; wait for the thing
itself (an event, an answer) rather than for a time.

Source: Python's documentation of `queue` and `concurrent.futures`; measured: a `Queue.get` of 18 s in a start of 25.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.phases import LIBRARIES, USER
from firststep.analyse.ran import ran
from firststep.analyse.system_calls import FILE_LOCKS, SELECTS, waits_for
from firststep.causes._own_workers import OF_PROCESSES, own_workers, waits_in
from firststep.model.facts import Piece, SourceLine
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.trace import Sample
from firststep.model.words import duration

GROUP = "outside"
WATCHED = ("samples",)
FACTS = (partition, path)
REMEDIES: tuple[str, ...] = ()
IN_LOOP = ("/asyncio/base_events.py", "/selectors.py")
WAITS_IN = ("/threading.py", "/queue.py", "/concurrent/futures/_base.py", "/multiprocessing/connection.py", *IN_LOOP)
OTHERS = ("/subprocess.py", "/socketserver.py")  # another cause's; and a server that waits for its clients has started
LOCKED, ASLEEP, OTHER = "lock_ns", "sleeping_ns", "network_ns"  # whatever else a call waits for comes from outside as well
LEAST_NS = 100_000_000
SHARE = (0.2, 1.0)  # what is waited for may have to be done, though seldom while nothing else is
WORKED = 0.3  # of the time: who had a CPU for more did not stand still


class Whom(NamedTuple):
    """What is waited for, in words, and what is to be done instead."""

    short: str
    whole: str
    instead: str


_EARLIER = "let it go on beside the imports; wait where it is used"
THREADS = "python_threads"  # a counter of the agent's: most at once, with the main one
THREAD = Whom("a thread", "for another thread of the program", _EARLIER)
WORKER = Whom("a worker process", "for a worker process of the program", _EARLIER)
FILE_LOCK = Whom("a file's lock", "for another process that holds the lock of a file", "let it hold it only while the file is changed")
LOOP = Whom("an event", "for an event loop in which nothing was ready", _EARLIER)
NOBODY = Whom("asleep", "asleep", "wait for the thing itself, or see what a library polls")
INPUT = Whom("input or output", "for input or output of a pipe, a terminal or a socket", _EARLIER)


def find(given: Facts) -> Found | None:
    machine = str(given.trace.header.get("host", {}).get("machine", ""))
    waits = _waits(given, machine)
    took = {kind: sum(piece.end - piece.start for piece in found) for kind, found in waits.items()}
    seen = sorted((kind for kind in waits if took[kind] >= LEAST_NS), key=lambda kind: -took[kind])
    if not seen:
        return None
    cuts = tuple(Cut(piece.start, piece.end, *SHARE) for kind in seen for piece in waits[kind])
    longest = [_longest_where_it_waits_most(waits[kind]) for kind in seen]
    whoms = [_whom(one.sample, machine, kind) for one, kind in zip(longest, seen, strict=True)]
    verdict, whom = longest[0].verdict, whoms[0]
    line, called = (verdict.line, verdict.called) if verdict else (None, "")
    words = ", ".join(f"{each.short} {duration(took[kind])}" for each, kind in zip(whoms, seen, strict=True))
    if len(seen) == 1:  # else it would not be one line of the report
        most = "most in" if any(_line(piece) != line for piece in waits[seen[0]]) else "in"
        words = f"{duration(took[seen[0]])} {whom.whole}" + (f", {most} {called}" if called and whom is not NOBODY else "")
    return Found("it sleeps" if whom is NOBODY else f"it waits for {whom.short}", Evidence(words, line), whom.instead, "medium", cuts)


def _longest_where_it_waits_most(pieces: list[Piece]) -> Piece:
    """Of the line at which most of the time passes: many short waits in a loop may be more than a long one elsewhere."""
    at: dict[object, list[Piece]] = {}
    for piece in pieces:
        at.setdefault(_line(piece), []).append(piece)
    most = max(at.values(), key=lambda found: sum(piece.end - piece.start for piece in found))
    return max(most, key=lambda piece: piece.end - piece.start)


def _line(piece: Piece) -> SourceLine | None:
    return piece.verdict.line if piece.verdict else None


def _waits(given: Facts, machine: str) -> dict[str, list[Piece]]:
    """What the main thread waits for -> when."""
    workers = own_workers(given)  # another cause's
    theirs = {piece.start for piece in workers.waits} if workers else set()
    found: dict[str, list[Piece]] = {LOCKED: [], ASLEEP: [], OTHER: []}
    kinds = waits_for(machine)
    for piece in given(partition).pieces:
        kind = None if piece.start in theirs else _stands(piece, machine, kinds)
        if kind is not None:
            found[kind].append(piece)
    return found


def _stands(piece: Piece, machine: str, kinds: Mapping[int, str]) -> str | None:
    """What the main thread waits for there, where the program's own code has it wait."""
    sample, verdict = piece.sample, piece.verdict
    if sample is None or verdict is None or verdict.line is None or piece.phase not in (USER, LIBRARIES) or sample.state != "S":
        return None
    innermost = sample.stack[-1].file
    mine = innermost == verdict.line.file or innermost.endswith(WAITS_IN)
    if not mine or any(frame.file.endswith(OTHERS) for frame in sample.stack) or ran(piece) >= WORKED:
        return None
    kind = _kind(piece, sample.call, machine, kinds)
    return None if kind == LOCKED and _is_native(piece, sample, machine) else kind


def _is_native(piece: Piece, sample: Sample, machine: str) -> bool:
    """Whether the lock is not known to be another Python thread's, nor a file's: it was taken in native code, called by the program's own
    line, and Python has not been seen to have another thread."""
    if sample.stack[-1].file.endswith(WAITS_IN) or sample.call in FILE_LOCKS.get(machine, ()) or piece.process is None:
        return False
    return piece.process.counters.get(THREADS, 0) < 2 and not piece.process.threads


def _kind(piece: Piece, call: int, machine: str, kinds: Mapping[int, str]) -> str | None:
    if call < 0 or not kinds:
        return None
    if call in SELECTS[machine] and piece.process is not None and _sleeps_in_select(str(piece.process.header.get("python", ""))):
        return None
    kind = kinds.get(call, OTHER)
    return kind if kind in (LOCKED, ASLEEP, OTHER) else None


def _sleeps_in_select(python: str) -> bool:
    """Whether that version's `time.sleep` does."""
    return tuple(map(int, python.split(".")[:2])) < (3, 11) if python else True


def _whom(sample: Sample | None, machine: str, kind: str) -> Whom:
    if kind == ASLEEP:
        return NOBODY
    if sample is None:
        return THREAD
    if sample.call in FILE_LOCKS.get(machine, ()):
        return FILE_LOCK
    if waits_in(sample, OF_PROCESSES):
        return WORKER
    if kind == OTHER:
        return LOOP if sample.stack[-1].file.endswith(IN_LOOP) else INPUT
    return THREAD
