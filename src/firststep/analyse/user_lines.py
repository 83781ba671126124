"""Which line of the user's own files was under way at some time."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from operator import attrgetter

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import Seen
from firststep.model import ownership
from firststep.model.facts import SourceLine
from firststep.model.ownership import Ownership
from firststep.model.trace import Frame, Process

LABEL = "line"  # of a span that knows its line: "file:number"


def line_of(facts: Facts, *seen: Seen) -> SourceLine | None:
    """The innermost line of the user's that these spans have most of their time from; None where none was seen."""
    times: Counter[SourceLine] = Counter()
    for one in seen:
        known = parsed(str(one.span.labels.get(LABEL, "")))
        line = known or line_between(facts, one.process, one.span.start, one.span.end)
        if line:
            times[line] += one.span.end - one.span.start + 1
    return times.most_common(1)[0][0] if times else None


def parsed(place: str) -> SourceLine | None:
    """`/a/train.py:12`, as labels have it."""
    file, _, number = place.rpartition(":")
    return SourceLine(file, int(number)) if file and number.isdigit() else None


def programs_line(facts: Facts, place: str) -> SourceLine | None:
    """The same, where no installed package has it."""
    line = None if ownership.INSTALLED.match(place) else parsed(place)
    return None if line and ownership.place_elsewhere(line.file, facts.trace.header.get("installed", ())) else line


def line_between(facts: Facts, process: Process, start: int, end: int) -> SourceLine | None:
    """The user's innermost line of most samples from `start` to `end`, or of the first one after."""
    samples = process.samples
    first = bisect_left(samples, start, key=attrgetter("at"))
    last = max(bisect_right(samples, end, key=attrgetter("at")), first + 1)
    lines = facts(stack_lines)
    seen = Counter(line for sample in samples[first:last] if (line := lines.of(process, sample.stack)))
    return seen.most_common(1)[0][0] if seen else None


class _Lines:
    """The user's innermost line of each stack, looked for once."""

    def __init__(self, facts: Facts) -> None:
        self._owners = {id(leg.process): Ownership(leg.process.header) for leg in facts(path)}
        self._known: dict[int, SourceLine | None] = {}

    def of(self, process: Process, stack: tuple[Frame, ...]) -> SourceLine | None:
        key = id(stack)
        if key not in self._known:
            owners = self._owners.get(id(process)) or Ownership(process.header)
            mine = (frame for frame in reversed(stack) if owners.of(frame.file).kind == ownership.USER)
            self._known[key] = next((SourceLine(frame.file, frame.line) for frame in mine), None)
        return self._known[key]


def stack_lines(facts: Facts) -> _Lines:
    return _Lines(facts)
