"""Worker processes that the program made itself, and where it waits for them: told as such, and as no other program besides."""

from __future__ import annotations

from typing import NamedTuple

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.model.facts import Piece
from firststep.model.trace import Process, Sample

OF_PROCESSES = ("/multiprocessing/", "/joblib/", "/loky/")
WAITS_IN = (*OF_PROCESSES, "/concurrent/futures/")  # which has threads as well
DEEP = 6  # frames from there to the wait: an event, a condition, a lock
LEAST_NS = 100_000_000
WORKED = 0.2  # of the wait: a CPU for less is none that was waited for


class OwnWorkers(NamedTuple):
    """waits: pieces of the main thread's time, at least one; workers: processes that were watched and used a CPU meanwhile."""

    waits: tuple[Piece, ...]
    workers: tuple[Process, ...]


def own_workers(given: Facts) -> OwnWorkers | None:
    """None where nothing was waited for that long, or none of them worked."""
    waits = tuple(piece for piece in given(partition).pieces if _waits(piece))
    if sum(piece.end - piece.start for piece in waits) < LEAST_NS:
        return None
    began, ended = waits[0].start, waits[-1].end
    on_path = {id(leg.process) for leg in given(path)}
    workers = tuple(one for one in given.trace.processes
                    if id(one) not in on_path and _ran_ns(one, began, ended) >= (ended - began) * WORKED)
    return OwnWorkers(waits, workers) if workers else None


def _waits(piece: Piece) -> bool:
    if piece.sample is None or piece.sample.state == "R":
        return False
    return waits_in(piece.sample, WAITS_IN)


def waits_in(sample: Sample, packages: tuple[str, ...]) -> bool:
    """Whether the innermost frames are of one of these packages."""
    return any(part in frame.file for frame in sample.stack[-DEEP:] for part in packages)


def _ran_ns(process: Process, start: int, end: int) -> int:
    """How long its main thread had a CPU between two moments."""
    seen = [sample.ran for sample in process.samples if start <= sample.at <= end]
    return seen[-1] - seen[0] if seen else 0
