"""The user's own lines and functions with the time they cost before ready."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from firststep.analyse import ownership
from firststep.analyse.facts import Facts
from firststep.analyse.ownership import Ownership
from firststep.analyse.path import path
from firststep.model.facts import FunctionTime, Leg, LineTime, SourceLine
from firststep.model.trace import Frame

FunctionKey = tuple[str, str, int]


class _Times:
    def __init__(self) -> None:
        self.own: dict[Frame, int] = defaultdict(int)
        self.line_total: dict[SourceLine, int] = defaultdict(int)
        self.function_total: dict[FunctionKey, int] = defaultdict(int)

    def add(self, frames: tuple[Frame, ...], ns: int) -> None:
        """frames: the user's frames of one stack, outermost first."""
        if not frames:
            return
        self.own[frames[-1]] += ns
        for line in {SourceLine(frame.file, frame.line) for frame in frames}:
            self.line_total[line] += ns
        for key in {(frame.file, frame.function, frame.first_line) for frame in frames}:
            self.function_total[key] += ns


def _times(facts: Facts) -> _Times:
    times = _Times()
    for leg in facts(path):
        for frames, ns in _user_frames(leg):
            times.add(frames, ns)
    return times


def _user_frames(leg: Leg) -> Iterator[tuple[tuple[Frame, ...], int]]:
    """The user's frames of each sample, with the time since the sample before it."""
    owners = Ownership(leg.process.header)
    known: dict[int, tuple[Frame, ...]] = {}
    at = leg.process.agent[1] if leg.process.agent else int(leg.process.header["entered_ns"])
    for sample in leg.process.samples:
        key = id(sample.stack)
        if key not in known:
            known[key] = tuple(
                frame for frame in sample.stack if owners.of(frame.file).kind == ownership.USER
            )
        upto = min(sample.at, leg.end)
        if upto > at:
            yield known[key], upto - at
            at = upto


def source_lines(facts: Facts) -> tuple[LineTime, ...]:
    """Every user line that was seen, dearest (by its own time) first."""
    times = facts(_times)
    own: dict[SourceLine, int] = defaultdict(int)
    functions = {}
    for frame, ns in times.own.items():
        own[SourceLine(frame.file, frame.line)] += ns
        functions[SourceLine(frame.file, frame.line)] = frame.function
    lines = [
        LineTime(line, functions.get(line, ""), own.get(line, 0), total)
        for line, total in times.line_total.items()
    ]
    return tuple(sorted(lines, key=lambda line: (-line.self_ns, -line.total_ns, line.line)))


def source_functions(facts: Facts) -> tuple[FunctionTime, ...]:
    """Every function of the user's files that was seen, dearest (in total) first."""
    times = facts(_times)
    own: dict[FunctionKey, int] = defaultdict(int)
    for frame, ns in times.own.items():
        own[(frame.file, frame.function, frame.first_line)] += ns
    functions = [FunctionTime(*key, own.get(key, 0), total) for key, total in times.function_total.items()]
    return tuple(
        sorted(functions, key=lambda function: (-function.total_ns, function.file, function.first_line))
    )
