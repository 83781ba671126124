"""Loops of the program's that call one small operation, or a model, after the other, outside of any function."""

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
OF_KERAS = ("-packages/keras/src/", "-packages/tf_keras/src/")
OF_TENSORFLOW = ("-packages/tensorflow/python/",)
OF_PACKAGES = ("-packages/",)  # Keras calls libraries on the way
LEAST_NS = 300_000_000
SHARE = (0.3, 0.9)  # of it: the same values are computed, a few calls for all of them
OVERHEAD = 0.25  # of the calls of a model that is between its operations, at least: the way there costs, and not what they compute
RETURNS = 3  # to an operation of a line that was seen and left before: one that is long, or each once, is no loop
MOST = 0.75  # of the time, in one operation at most: else that has much to compute, wherever it is called from

Place = tuple[int, str, bool]  # line of the program, operation (empty between those of a model), whether a model makes it


class EagerLoop(NamedTuple):
    """line: the one that most of it came from; of_models: whether models make the operations."""

    line: SourceLine
    of_models: bool
    cuts: tuple[Cut, ...]


def longest_eager_loop(given: Facts) -> EagerLoop | None:
    """By the program's function that calls the operations."""
    found: dict[tuple[str, int], list[tuple[Piece, Place]]] = defaultdict(list)
    for piece in given(partition).pieces:
        operation = _operation(piece)
        if operation and piece.verdict and piece.verdict.line:
            caller = next(frame for frame in reversed(piece.sample.stack) if frame.file == piece.verdict.line.file)  # type: ignore[union-attr]
            found[caller.file, caller.first_line].append((piece, (caller.line, *operation)))
    loops = [(file, seen) for (file, _), seen in found.items() if _returns([place for _, place in seen]) >= RETURNS]
    if not loops:
        return None
    file, seen = max(loops, key=lambda one: _time(one[1]))
    of_models = any(by_model for _, (_, _, by_model) in seen)
    between = _time([one for one in seen if not one[1][1]])
    times: dict[int, int] = defaultdict(int)
    operations: dict[Place, int] = defaultdict(int)
    for piece, place in seen:
        times[place[0]] += piece.end - piece.start
        operations[place] += piece.end - piece.start
    if _time(seen) < LEAST_NS or (between < OVERHEAD * _time(seen) if of_models else max(operations.values()) > MOST * _time(seen)):
        return None
    line = SourceLine(file, max(times, key=lambda number: times[number]))
    return EagerLoop(line, of_models, tuple(Cut(piece.start, piece.end, *SHARE) for piece, _ in seen))


def _time(seen: list[tuple[Piece, Place]]) -> int:
    return sum(piece.end - piece.start for piece, _ in seen)


def _operation(piece: Piece) -> tuple[str, bool] | None:
    """What a line of the program's runs there, with nothing but TensorFlow's functions and a model's between, and whether a model makes
    it; None where it is something else."""
    if piece.phase not in (USER, LIBRARIES) or piece.sample is None or piece.verdict is None or piece.verdict.line is None:
        return None
    file = piece.verdict.line.file
    called: list[Frame] = list(takewhile(lambda frame: frame.file != file, reversed(piece.sample.stack)))
    outside = list(takewhile(lambda frame: not _is_of(frame, OF_KERAS), reversed(called)))
    within = called[:len(called) - len(outside)]
    if not all(_is_of(frame, OF_TENSORFLOW) for frame in outside) or not all(_is_of(frame, OF_PACKAGES) for frame in within):
        return None
    operation = next((frame.function for frame in called if OPERATION in frame.file), "")
    return (operation, bool(within)) if operation or within else None


def _is_of(frame: Frame, places: tuple[str, ...]) -> bool:
    return any(place in frame.file for place in places)


def _returns(places: list[Place]) -> int:
    seen, found = set(places[:1]), 0
    for before, place in pairwise(places):
        found += place != before and place in seen
        seen.add(place)
    return found
