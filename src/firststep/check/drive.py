"""Carries a check out: the runs of each program, interleaved with those of the merge base where it is asked for, and the judgement."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from firststep.analyse.facts import Facts
from firststep.analyse.identity import asked_for, program_of
from firststep.check.baseline import Stored
from firststep.check.gate import Look
from firststep.check.judge import Base, Judged, failed, judge
from firststep.check.measure import NoMeasurement, start, tells_too_little
from firststep.check.merge_base import MergeBase
from firststep.check.reference import reference
from firststep.check.sample import MeasuredStart, sample_of
from firststep.check.settings import TOTAL, Budget
from firststep.check.verdict import GateVerdict
from firststep.diff.comparable import ends_alike
from firststep.errors import FirststepError
from firststep.launch.until import parse_until
from firststep.model.trace import Trace
from firststep.printable import say
from firststep.prove.drive import NoInput
from firststep.prove.order import orders

SEED = 1
SESSION_RUNS = 15  # of a session of a stored baseline, and against one, unless it is said how many
TIMES = ("time", "change")  # checks that more runs may resolve
BASELINE, MERGE_BASE = "the baseline", "the merge base"

Start = Callable[[Budget, Path], tuple[MeasuredStart, Trace]]


@dataclass
class Measured:
    """What was seen of a program: its samples, those of the merge base, and the reference work's times beside them."""

    budget: Budget
    samples: list[MeasuredStart] = field(default_factory=list)
    base: list[MeasuredStart] = field(default_factory=list)
    reference: list[float] = field(default_factory=list)
    problem: str = ""


@dataclass(frozen=True)
class Gate:
    """Where the programs are, and what they are compared with: a checkout of the merge base, what is stored, or nothing."""

    folder: Path
    stored: Mapping[str, Stored] = field(default_factory=dict)
    merge_base: MergeBase | None = None
    start: Start = start

    def check(self, budget: Budget, runs: int | None) -> tuple[Judged, Measured]:
        """Runs a program until everything is resolved, or `runs` times, and judges it."""
        stored = SESSION_RUNS if budget.name in self.stored else None
        look = Look(runs or budget.runs or stored)
        seen = self._measured(budget, look, lambda made: self._resolved(made, look))
        return self._judged(seen, look), seen

    def measure(self, budget: Budget, runs: int | None) -> Measured:
        """A session's runs, with no judgement."""
        look = Look(runs or budget.runs or SESSION_RUNS)
        return self._measured(budget, look, lambda made: False)

    def judge_traces(self, budget: Budget, traces: Sequence[Trace]) -> Judged:
        """The judgement on starts that were recorded elsewhere."""
        seen = Measured(budget, [sample_of(Facts(trace)) for trace in traces],
                        problem=next(filter(None, (_of_another(budget, trace) or tells_too_little(trace, budget) for trace in traces)), ""))
        return self._judged(seen, Look(len(traces)))

    def _base(self, seen: Measured) -> Base | None:
        if self.merge_base:
            return Base(MERGE_BASE, tuple(seen.base))
        stored = self.stored.get(seen.budget.name)
        return Base(BASELINE, (), stored, tuple(seen.reference)) if stored else None

    def _judged(self, seen: Measured, look: Look) -> Judged:
        return failed(seen.budget, seen.problem) if seen.problem else judge(seen.budget, seen.samples, self._base(seen), look)

    def _resolved(self, seen: Measured, look: Look) -> bool:
        if not look.due(len(seen.samples)):
            return False
        return all(one.verdict is not GateVerdict.INCONCLUSIVE for one in self._judged(seen, look).checks if one.kind in TIMES)

    def _measured(self, budget: Budget, look: Look, resolved: Callable[[Measured], bool]) -> Measured:
        """A warm-up of each side, which is not counted, and the runs; what fails ends it."""
        seen = Measured(budget)
        try:
            with NoInput():
                self._warm_up(budget)
                for base_first in islice(orders(SEED), look.most):
                    self._round(seen, base_first)
                    say(f"firststep: {budget.name}, run {len(seen.samples)} of at most {look.most}: {_told(seen)}")
                    if resolved(seen):
                        break
        except NoMeasurement as why:
            seen.problem = str(why)
        except FirststepError as why:
            seen.problem = f"{why.title}: {why.reason}" if why.reason else why.title
        return seen

    def _warm_up(self, budget: Budget) -> None:
        self.start(budget, self.folder)
        if self.merge_base:
            _, trace = self._start_base(budget)
            stray = self.merge_base.strays(trace)
            if stray:
                raise NoMeasurement(f"the merge base ran {stray} of the working tree: the package is installed in place, or PYTHONPATH "
                                    "names it")

    def _round(self, seen: Measured, base_first: bool) -> None:
        if self.merge_base and base_first:
            seen.base.append(self._start_base(seen.budget)[0])
        seen.reference.append(reference())
        seen.samples.append(self.start(seen.budget, self.folder)[0])
        if self.merge_base and not base_first:
            seen.base.append(self._start_base(seen.budget)[0])

    def _start_base(self, budget: Budget) -> tuple[MeasuredStart, Trace]:
        assert self.merge_base is not None
        try:
            return self.start(self.merge_base.command_of(budget), self.merge_base.folder)
        except NoMeasurement as why:
            raise NoMeasurement(f"at the merge base {why}") from why


def _of_another(budget: Budget, trace: Trace) -> str:
    """In words, where a trace is no start of this program, or was to be ready by something else."""
    ours, theirs = program_of(list(budget.command)), asked_for(trace)
    if ours and theirs and not ends_alike(os.path.normpath(ours), theirs):
        return f"a trace is of {theirs}, not of {ours}"
    until = parse_until(budget.until)
    if trace.header.get("until") and [until.kind, until.value] != list(trace.header["until"]):
        kind, value = trace.header["until"]
        return f"a trace waited for {kind if value is None else f'{kind}:{value}'}, not for {budget.until}"
    return ""


def _told(seen: Measured) -> str:
    words = f"{seen.samples[-1].times[TOTAL]:.2f} s"
    return f"{words}, the merge base {seen.base[-1].times[TOTAL]:.2f} s" if seen.base else words
