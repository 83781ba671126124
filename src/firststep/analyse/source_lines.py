"""The user's own lines and functions with the time they cost before ready."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.user_lines import parsed
from firststep.model import ownership
from firststep.model.facts import FunctionTime, Leg, LineTime, SourceLine
from firststep.model.ownership import Ownership
from firststep.model.trace import Frame

WAIT = "waits-for"  # a mark: a wait for other processes begins

FunctionKey = tuple[str, str, int]
Stretch = tuple[int, int, tuple[Frame, ...]]  # (start, end, the user's frames, outermost first)


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
        for key in {(frame.file, frame.function, frame.first_line) for frame in frames if frame.function}:
            self.function_total[key] += ns


def _times(facts: Facts) -> _Times:
    times = _Times()
    aside = _aside(facts)
    for leg in facts(path):
        for start, end, frames in _within(_stretches(leg), aside):
            times.add(frames, end - start)
    return times


def _stretches(leg: Leg) -> Iterator[Stretch]:
    """The user's frames of each sample, for the time since the sample before it."""
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
            yield at, upto, known[key]
            at = upto
    yield from _unsampled_wait(leg, at, next((known[id(sample.stack)] for sample in reversed(leg.process.samples)), ()))


def _unsampled_wait(leg: Leg, after: int, frames: tuple[Frame, ...]) -> Iterator[Stretch]:
    """The wait that the program was ended in, after the last sample; frames: of that one. A native wait may hold Python's lock: then no
    sample is taken, and the mark that tells when it began knows its line, but no function: that of the last sample, in the same file."""
    for mark in leg.process.marks:
        line = parsed(str(mark.labels.get("line", "")))
        if mark.name == WAIT and line and after <= mark.at < leg.end:
            near = next((frame for frame in reversed(frames) if frame.file == line.file), Frame(line.file, "", 0, line.line))
            yield mark.at, leg.end, (replace(near, line=line.line),)
            return



def _aside(facts: Facts) -> list[Stretch]:
    """When cells ran in kernels that the path does not lead through: who runs a notebook waits for its kernel, without a line for it."""
    on_path = {id(leg.process) for leg in facts(path)}
    kernels = [process for process in facts.trace.processes if process.cells and id(process) not in on_path]
    began, end = facts.trace.spawned[0], facts.trace.end
    return sorted((stretch for kernel in kernels for stretch in _stretches(Leg(kernel, began, began, end)) if stretch[2]),
                  key=lambda stretch: stretch[:2])


def _within(stretches: Iterable[Stretch], called: Sequence[Stretch]) -> Iterator[Stretch]:
    """The stretches, in which the frames of those that are `called` stand innermost while they last. Both in order of time."""
    index = 0
    for start, end, frames in stretches:
        while index < len(called) and called[index][0] < end:
            low, high, inner = called[index]
            if low > start:
                yield start, low, frames
                start = low
            if min(high, end) > start:
                yield start, min(high, end), (*frames, *inner)
                start = min(high, end)
            if high > end:
                break
            index += 1
        if end > start:
            yield start, end, frames


def source_lines(facts: Facts) -> tuple[LineTime, ...]:
    """Every user line that was seen, costliest (by its own time) first."""
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
    """Every function of the user's files that was seen, costliest (in total) first."""
    times = facts(_times)
    own: dict[FunctionKey, int] = defaultdict(int)
    for frame, ns in times.own.items():
        own[(frame.file, frame.function, frame.first_line)] += ns
    functions = [FunctionTime(*key, own.get(key, 0), total) for key, total in times.function_total.items()]
    return tuple(
        sorted(functions, key=lambda function: (-function.total_ns, function.file, function.first_line))
    )
