"""The program's Python that input pipelines called while the main thread waited for their data, by line.

`from_generator`, `py_function` and `numpy_function` call Python on native threads, and one at a time runs: the main thread's samples say
how long it waited, the other thread's where it was meanwhile. Whether that was at work itself is told from the CPU time of the process.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import pairwise
from operator import attrgetter

from firststep.analyse import phases
from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.user_lines import stack_lines
from firststep.model.facts import SourceLine
from firststep.model.trace import Process

AT_REST = 0.05  # of one CPU, that the process used meanwhile: our own sampling; who works gets more, on a busy machine as well


def called_back(facts: Facts) -> Mapping[SourceLine, int]:
    """Nanoseconds of the phase data by the program's innermost line that a native thread was at; its samples stand for the time since
    the main thread's sample before."""
    found: Counter[SourceLine] = Counter()
    for process in _of_data(facts):
        for start, end, line in _stretches(facts, process):
            found[line] += _of_the_wait(facts, process, start, end)
    return +found


def at_rest(facts: Facts) -> int:
    """Nanoseconds of them in which the process hardly computed: that Python was asleep, or waited for something."""
    found = 0
    for process in _of_data(facts):
        resting = {later for (sooner, before), (later, after) in pairwise(process.worked) if after - before < AT_REST * (later - sooner)}
        found += sum(_of_the_wait(facts, process, start, end) for start, end, _ in _stretches(facts, process) if end in resting)
    return found


def _of_data(facts: Facts) -> Iterable[Process]:
    return {id(piece.process): piece.process for piece in facts(partition).by_phase.get(phases.DATA, ()) if piece.process}.values()


def _of_the_wait(facts: Facts, process: Process, start: int, end: int) -> int:
    """Nanoseconds of the phase data in that stretch of a process."""
    pieces = facts(partition).by_phase.get(phases.DATA, ())
    first = bisect_right(pieces, start, key=attrgetter("end"))
    last = bisect_left(pieces, end, key=attrgetter("start"))
    return sum(min(end, piece.end) - max(start, piece.start) for piece in pieces[first:last] if piece.process is process)


def _stretches(facts: Facts, process: Process) -> list[tuple[int, int, SourceLine]]:
    """(from, until, line), each moment once."""
    lines = facts(stack_lines)
    known: dict[int, SourceLine] = {}
    for at, stack in process.called:
        if line := lines.of(process, stack):
            known.setdefault(at, line)
    looked = [sample.at for sample in process.samples]
    places = ((bisect_left(looked, at), at, line) for at, line in known.items())
    return [(looked[place - 1], at, line) for place, at, line in places if place]
