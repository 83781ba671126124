"""The start waits for another program that it runs.

Symptom: the program stands still and uses no CPU, while a compiler, a download tool, `git` or another script works.

Why: `subprocess.run`, `check_output` or `os.system` returns when the other program has ended, and the main thread waits for it.

Confirmed by: the samples in which the main thread waits for a child, or stands in `subprocess`, with the command that ran.

Remedy: run the other program before the start, once and not at every start (keep what it says in a file), or beside it with
`subprocess.Popen`, asked for its result where that is needed.

Source: `wait4(2)`; Python's documentation of `subprocess`.
"""

from __future__ import annotations

import os

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.processes import looks_like_python
from firststep.analyse.system_calls import waits_for
from firststep.causes._stretches import time_in
from firststep.model.facts import Piece
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.trace import Spawn
from firststep.model.words import duration

GROUP = "outside"
WATCHED = ("samples", "processes")
FACTS = (partition, path)
REMEDIES: tuple[str, ...] = ()
WAITS_IN = "subprocess"  # by poll and select as well, where it reads what the child writes
SHARE = (0.5, 1.0)  # what the child does may be needed, but not at once, or not at every start
LEAST_NS = 30_000_000


def find(given: Facts) -> Found | None:
    calls = {call for call, what in waits_for(str(given.trace.header.get("host", {}).get("machine", ""))).items() if what == "child_ns"}
    waits = [piece for piece in given(partition).pieces if _waits(piece, calls)]
    cuts = tuple(Cut(piece.start, piece.end, *SHARE) for piece in waits)
    if time_in(cuts) < LEAST_NS:
        return None
    longest = max(waits, key=lambda piece: piece.end - piece.start)
    spawns = [spawn for leg in given(path) for spawn in leg.process.spawns if spawn.start <= longest.end and spawn.pid != leg.process.pid]
    what = _name(max(spawns, key=lambda spawn: spawn.start)) if spawns else "a child process"
    return Found("another program is waited for", Evidence(f"waited {duration(time_in(cuts))}, the longest for {what}",
                                                           longest.verdict.line if longest.verdict else None),
                 "run it before, once, or beside the start (subprocess.Popen)", "high", cuts)


def _waits(piece: Piece, calls: set[int]) -> bool:
    if piece.verdict is None or piece.sample is None:
        return False
    return piece.sample.call in calls or piece.verdict.package == WAITS_IN


def _name(spawn: Spawn) -> str:
    """The script of an interpreter, else the program."""
    words = spawn.arguments[1:] if looks_like_python(spawn.arguments) else spawn.arguments
    return os.path.basename(next((word for word in words if not word.startswith("-")), "python"))
