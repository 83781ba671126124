"""Folded stacks: a line for each stack, its frames from the outermost on, and its microseconds; for flamegraph.pl, inferno and others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from firststep.analyse.facts import Facts
from firststep.model.trace import Frame
from firststep.report.formats import ReportedStart
from firststep.report.formats._frames import label
from firststep.report.stacks import stacks

NOWHERE = "(interpreter)"


def text(starts: Sequence[ReportedStart]) -> str:
    trace = starts[0].trace
    times: Counter[tuple[Frame, ...]] = Counter()
    for stack in Facts(trace)(stacks):
        times[stack.frames] += stack.ns
    named: dict[Frame, str] = {}
    folded: Counter[str] = Counter()
    for frames, ns in times.items():
        for frame in frames:
            if frame not in named:
                named[frame] = label(frame, trace).replace(";", ",")
        folded[";".join(map(named.__getitem__, frames)) or NOWHERE] += ns
    return "".join(f"{stack} {ns // 1000}\n" for stack, ns in sorted(folded.items()))
