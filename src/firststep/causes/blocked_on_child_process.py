"""The start waits for another program that it runs.

Symptom: the program stands still and uses no CPU, while a compiler, a download tool, `git` or another script works.

Why: `subprocess.run`, `check_output` or `os.system` returns when the other program has ended, and the main thread waits for it.

Confirmed by: the samples in which the main thread waits for a child, or stands in `subprocess`, with the command that ran.

Remedy: run the other program before the start, once and not at every start (keep what it says in a file), or beside it with
`subprocess.Popen`, asked for its result where that is needed. Where a library runs it (TensorFlow asks `uname` for the processor), it is
the library's to change, and where it takes long, that is the load of the machine: such a wait is told with low confidence, and only where
the program itself waits for none.

Source: `wait4(2)`; Python's documentation of `subprocess`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.processes import looks_like_python
from firststep.analyse.system_calls import waits_for
from firststep.causes._own_workers import own_workers
from firststep.model.facts import Piece
from firststep.model.findings import Cut, Evidence, Found, Level
from firststep.model.ownership import LIBRARY, USER, Ownership
from firststep.model.trace import Spawn
from firststep.model.words import duration

GROUP = "outside"
WATCHED = ("samples", "processes")
FACTS = (partition, path)
REMEDIES: tuple[str, ...] = ()
WAITS_IN = "/subprocess.py"  # by poll and select as well, where it reads what the child writes
DEEP = 3  # frames from there to the wait: `communicate` asks `selectors`
SHARE = (0.5, 1.0)  # what the child does may be needed, but not at once, or not at every start
OF_A_LIBRARY = (0.0, 1.0)
LEAST_NS = 30_000_000
CLOSE_NS = 100_000_000  # who starts a program and waits for it begins to wait by then


def find(given: Facts) -> Found | None:
    calls = {call for call, what in waits_for(str(given.trace.header.get("host", {}).get("machine", ""))).items() if what == "child_ns"}
    workers = own_workers(given)  # another cause's
    theirs = {piece.start for piece in workers.waits} if workers else set()
    waits = [piece for piece in given(partition).pieces if _waits(piece, calls) and piece.start not in theirs]
    owners = {id(leg.process): Ownership(leg.process.header) for leg in given(path)}
    asked = [_library(piece, owners) for piece in waits]
    own = [piece for piece, library in zip(waits, asked, strict=True) if not library]
    if _lasts(own):
        do = "run it before, once, or beside the start (subprocess.Popen)"
        return _found(given, own, "another process is awaited", do, "high", SHARE)
    if _lasts(waits):
        library = next(filter(None, asked))
        do = f"{library}'s to change; where the machine is busy it takes longer"
        return _found(given, waits, f"{library} runs another program", do, "low", OF_A_LIBRARY)
    return None


def _lasts(waits: list[Piece]) -> bool:
    return sum(piece.end - piece.start for piece in waits) >= LEAST_NS


def _library(piece: Piece, owners: Mapping[int, Ownership]) -> str:
    """The installed library that runs the other program; empty where the program itself does."""
    known = owners.get(id(piece.process))
    if piece.sample is None or known is None:
        return ""
    asked = (known.of(frame.file) for frame in reversed(piece.sample.stack))
    first = next((owner for owner in asked if owner.kind == USER or owner.package not in sys.stdlib_module_names), None)
    return first.package if first and first.kind == LIBRARY else ""


def _found(given: Facts, waits: list[Piece], what: str, do: str, sure: Level, share: tuple[float, float]) -> Found:
    cuts = tuple(Cut(piece.start, piece.end, *share) for piece in waits)
    first, until = max(_stretches(waits), key=lambda stretch: stretch[1] - stretch[0].start)
    spawns = [spawn for leg in given(path) for spawn in leg.process.spawns if spawn.start <= until and spawn.pid != leg.process.pid]
    waited = f"waited {duration(sum(piece.end - piece.start for piece in waits))}, the longest for {_waited_for(spawns, first.start)}"
    return Found(what, Evidence(waited, first.verdict.line if first.verdict else None), do, sure, cuts)


def _waits(piece: Piece, calls: set[int]) -> bool:
    if piece.verdict is None or piece.sample is None:
        return False
    waits = piece.sample.state != "R" and any(frame.file.endswith(WAITS_IN) for frame in piece.sample.stack[-DEEP:])
    return piece.sample.call in calls or waits


def _stretches(waits: list[Piece]) -> list[tuple[Piece, int]]:
    """(its first piece, its end) of each wait: one sample after the other may have met it."""
    found: list[tuple[Piece, int]] = []
    for piece in waits:
        if found and piece.start <= found[-1][1]:
            found[-1] = (found[-1][0], piece.end)
        else:
            found.append((piece, piece.end))
    return found


def _waited_for(spawns: list[Spawn], since: int) -> str:
    """What was started as the wait began, else what alone can be meant."""
    if not spawns:
        return "a child process"
    last = max(spawns, key=lambda spawn: spawn.start)
    if len(spawns) == 1 or last.end >= since - CLOSE_NS:
        return _name(last)
    return f"one of {len(spawns)} child processes"


def _name(spawn: Spawn) -> str:
    """The script of an interpreter, else the program."""
    words = spawn.arguments[1:] if looks_like_python(spawn.arguments) else spawn.arguments
    if looks_like_python(spawn.arguments) and "-c" in words[:2]:
        return "python -c"
    return os.path.basename(next((word for word in words if not word.startswith("-")), "python"))
