"""Progress on standard error: a line a run, and what the pairs say so far."""

from __future__ import annotations

from firststep.printable import say
from firststep.prove.experiment import Design, Gathered, ready_logs
from firststep.prove.judge import Question
from firststep.prove.proof import name_of, told
from firststep.prove.run import ComparedRun, Purpose
from firststep.prove.statistics import as_ratio, interval


class Progress:
    """Called after each run."""

    def __init__(self, question: Question, design: Design) -> None:
        self._question = question
        self._design = design
        self._pairs = 0

    def __call__(self, evidence: Gathered, run: ComparedRun) -> None:
        line = f"firststep: {self._where(evidence, run)} {name_of(self._question, run.side)}: {told(run)}"
        if len(evidence.pairs) > self._pairs:
            self._pairs = len(evidence.pairs)
            line += self._so_far(evidence)
        say(line)

    def _where(self, evidence: Gathered, run: ComparedRun) -> str:
        if run.purpose is not Purpose.COUNTED:
            return str(run.purpose.value)
        number = len(evidence.pairs) + (not evidence.pairs or run not in _members(evidence))
        of = "of at most" if self._design.runs is None else "of"
        return f"pair {number} {of} {self._design.most},"

    def _so_far(self, evidence: Gathered) -> str:
        logs = interval(ready_logs(evidence.pairs), self._design.alpha)
        ratio = as_ratio(logs)
        between = f" ({ratio.low:.2f} to {ratio.high:.2f})" if ratio.low > 0 else ""
        return f" · so far {ratio.mid:.2f}{between}"


def _members(evidence: Gathered) -> tuple[ComparedRun, ComparedRun]:
    return evidence.pairs[-1].plain, evidence.pairs[-1].treated
