"""A thread of the program's runs Python beside the start, and the main thread waits for its turn.

Symptom: everything of the start takes longer, imports and tracing alike, and no row says why; with the thread left out it is quick.

Why: Python's lock (the GIL) lets one thread at a time run Python. Who wants it asks, and gets it after five milliseconds at most
(`sys.getswitchinterval`), for a moment: a thread that never waits takes half of the interpreter, or more.

Confirmed by: a thread of the program's that had a CPU for most of a quarter of a second in which the main thread had one for less than
the rest of it, and was at another place at each look: it did not wait for anything else.

Remedy: begin it after the first step; let it sleep between its rounds (`time.sleep`, `Event.wait(seconds)`), or make it a process.

Source: Python's documentation, "Thread State and the Global Interpreter Lock".
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from operator import attrgetter

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.user_lines import stack_lines
from firststep.model.facts import SourceLine
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.trace import Process, Sample
from firststep.model.words import duration

GROUP = "machine"
WATCHED = ("samples",)
FACTS = (path, stack_lines)
REMEDIES: tuple[str, ...] = ()
LONGEST_NS = 1_000_000_000  # between two looks at the threads, that belong together
LEAST_NS = 300_000_000
MOVES = 0.5  # of the looks at the main thread, that found it elsewhere than the one before
SHARE = 0.5  # of the wait, at least: the thread's own work may be wanted


def find(given: Facts) -> Found | None:
    cuts: list[Cut] = []
    lost, ran = 0, 0
    lines: Counter[SourceLine] = Counter()
    for leg in given(path):
        for start, end, worked, line in _stretches(given, leg.process):
            start, end = max(start, leg.start), min(end, leg.end)
            waited = _waited(leg.process, start, end, worked)
            if waited:
                cuts.append(Cut(start, end, SHARE * waited / (end - start), waited / (end - start)))
                lost, ran = lost + waited, ran + worked
                lines[line] += worked
    if lost < LEAST_NS:
        return None
    return Found("a thread keeps Python's lock", Evidence(
        f"ran {duration(ran)}, main thread waited {duration(lost)}", lines.most_common(1)[0][0]),
        "begin it after the first step, or as a process", "medium", tuple(cuts))


def _stretches(given: Facts, process: Process) -> list[tuple[int, int, int, SourceLine]]:
    """[(from, until, CPU time that threads of the program's had in it, where the busiest of them was)]."""
    looks: dict[int, list[tuple[int, SourceLine]]] = defaultdict(list)
    so_far: dict[int, int] = {}
    for at, number, _, ran, stack in process.busy:
        line = given(stack_lines).of(process, stack)
        worked, so_far[number] = ran - so_far.get(number, 0), ran
        if line:
            looks[at].append((worked, line))
    found, before = [], 0
    for at, workers in sorted(looks.items()):
        if before and at - before <= LONGEST_NS:
            found.append((before, at, min(at - before, sum(worked for worked, _ in workers)), max(workers, key=lambda one: one[0])[1]))
        before = at
    return found


def _waited(process: Process, start: int, end: int, worked: int) -> int:
    """Nanoseconds that the main thread was kept from running; none where it stood still: it waited for something else."""
    samples = process.samples
    seen: tuple[Sample, ...] = samples[max(0, bisect_left(samples, start, key=attrgetter("at")) - 1):
                                       bisect_right(samples, end, key=attrgetter("at"))]
    if len(seen) < 2 or end <= start:
        return 0
    moves = sum(one.stack != other.stack for one, other in zip(seen, seen[1:], strict=False))
    if moves < MOVES * (len(seen) - 1):
        return 0
    took = seen[-1].at - seen[0].at
    idle = took - (seen[-1].ran - seen[0].ran) - (seen[-1].waited - seen[0].waited)
    return max(0, min(worked, idle * (end - start) // took))
