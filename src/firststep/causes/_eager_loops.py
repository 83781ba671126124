"""Loops of the program's that call one small operation after the other, outside of any function."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise, takewhile
from typing import NamedTuple

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.phases import LIBRARIES, USER
from firststep.model.facts import Piece, SourceLine
from firststep.model.findings import Cut
from firststep.model.trace import Frame

OPERATION = "/tensorflow/python/ops/gen_"  # the file of each operation that Python calls
OF_TENSORFLOW = "-packages/tensorflow/python/"
LEAST_NS = 300_000_000
SHARE = (0.3, 0.9)  # of it: the same values are computed, a few calls for all of them
RETURNS = 10  # to an operation of a line that was seen and left before: one that is long, or each once, is no loop

Place = tuple[int, str]  # line of the program, and operation


class EagerLoop(NamedTuple):
    """line: the one that most of it came from."""

    line: SourceLine
    cuts: tuple[Cut, ...]


def longest_eager_loop(given: Facts) -> EagerLoop | None:
    """By the program's function that calls the operations."""
    found: dict[tuple[str, int], list[tuple[Piece, Place]]] = defaultdict(list)
    for piece in given(partition).pieces:
        operation = _operation(piece)
        if operation and piece.verdict and piece.verdict.line:
            caller = next(frame for frame in reversed(piece.sample.stack) if frame.file == piece.verdict.line.file)  # type: ignore[union-attr]
            found[caller.file, caller.first_line].append((piece, (caller.line, operation)))
    loops = [(file, seen) for (file, _), seen in found.items() if _returns([place for _, place in seen]) >= RETURNS]
    if not loops:
        return None
    file, seen = max(loops, key=lambda one: sum(piece.end - piece.start for piece, _ in one[1]))
    times: dict[int, int] = defaultdict(int)
    for piece, (number, _) in seen:
        times[number] += piece.end - piece.start
    if sum(times.values()) < LEAST_NS:
        return None
    line = SourceLine(file, max(times, key=lambda number: times[number]))
    return EagerLoop(line, tuple(Cut(piece.start, piece.end, *SHARE) for piece, _ in seen))


def _operation(piece: Piece) -> str:
    """What a line of the program's runs there, with nothing but TensorFlow's own functions between; empty where it is something else."""
    if piece.phase not in (USER, LIBRARIES) or piece.sample is None or piece.verdict is None or piece.verdict.line is None:
        return ""
    file = piece.verdict.line.file
    called: list[Frame] = list(takewhile(lambda frame: frame.file != file, reversed(piece.sample.stack)))
    if not all(OF_TENSORFLOW in frame.file for frame in called):
        return ""
    return next((frame.function for frame in called if OPERATION in frame.file), "")


def _returns(places: list[Place]) -> int:
    seen, found = set(places[:1]), 0
    for before, place in pairwise(places):
        found += place != before and place in seen
        seen.add(place)
    return found
