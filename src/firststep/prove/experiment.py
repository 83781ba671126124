"""The order of the runs: warm-up, learning, pairs in counterbalanced order, and what follows from what is seen.

How a run is made is handed in, so that the order can be tried without starting anything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice

from firststep.prove.order import orders
from firststep.prove.results import Comparison, compare
from firststep.prove.run import ComparedRun, Pair, Purpose, Side
from firststep.prove.statistics import ALPHA, LOOK_ALPHA, LOOKS, interval, log_ratios, resolved

LEARNING_RUNS = 3  # at most: a remedy may need what another one has learned
CAREFUL_PLAIN = 2
ONE_THREAD = "on one thread"
DETERMINISTIC = "on one thread and under op determinism"

RunOnce = Callable[[Side, Purpose, str], ComparedRun]  # the last: how careful, "" for a usual run


@dataclass(frozen=True)
class Design:
    """What was asked for. runs: pairs, or None for --until-resolved; learns: the treated plan learns by itself."""

    runs: int | None
    learns: bool
    seed: int = 1

    @property
    def alpha(self) -> float:
        return LOOK_ALPHA if self.runs is None else ALPHA

    @property
    def most(self) -> int:
        return LOOKS[-1] if self.runs is None else self.runs


@dataclass(frozen=True)
class Problem:
    """Why no comparison took place, or none to the end. runs: what shows it, one per side that has it.

    kind: failed, hung, never-ready, or ready-otherwise (by something else than the first run was).
    """

    kind: str
    runs: tuple[ComparedRun, ...]


@dataclass(frozen=True)
class Careful:
    """The results once more under conditions in which a program is more often equal to itself."""

    how: str
    comparison: Comparison
    runs: tuple[ComparedRun, ...]


@dataclass
class Gathered:
    """All that was seen."""

    design: Design
    apart: list[ComparedRun] = field(default_factory=list)  # shown, not counted
    pairs: list[Pair] = field(default_factory=list)
    problem: Problem | None = None
    comparison: Comparison | None = None
    careful: Careful | None = None

    @property
    def runs(self) -> list[ComparedRun]:
        """Every sound run of the comparison itself, in the order in which they were made."""
        counted = [run for pair in self.pairs for run in _in_order(pair)]
        return [*self.apart, *counted]

    def of(self, side: Side) -> list[ComparedRun]:
        return [run for run in self.runs if run.side is side]


def _in_order(pair: Pair) -> tuple[ComparedRun, ComparedRun]:
    return (pair.plain, pair.treated) if pair.plain_first else (pair.treated, pair.plain)


def experiment(run_once: RunOnce, design: Design, tell: Callable[[Gathered, ComparedRun], None]) -> Gathered:
    """Makes the runs; `tell` is called after each. Stops at the first run that failed, hung or never was ready."""
    evidence = Gathered(design)
    _Experiment(run_once, evidence, tell).carry_out()
    return evidence


class _Experiment:
    def __init__(self, run_once: RunOnce, evidence: Gathered, tell: Callable[[Gathered, ComparedRun], None]) -> None:
        self._run_once = run_once
        self._evidence = evidence
        self._tell = tell

    def carry_out(self) -> None:
        """A run that learns is never stopped: where the others are, it has results that they have not."""
        evidence = self._evidence
        if not (self._prepare() and self._pairs()):
            return
        plain = evidence.of(Side.PLAIN)
        ended_early = any(run.stopped for run in plain)
        evidence.comparison = compare(plain, [run for run in evidence.of(Side.TREATED)
                                              if not (ended_early and run.purpose is Purpose.LEARNING)])
        if not evidence.comparison.reproducible:
            evidence.careful = self._careful(DETERMINISTIC) or self._careful(ONE_THREAD)

    def _prepare(self) -> bool:
        if not self._apart(Side.PLAIN, Purpose.WARM_UP):
            return False
        if not self._evidence.design.learns:
            return self._apart(Side.TREATED, Purpose.WARM_UP)
        for _ in range(LEARNING_RUNS):
            if not self._apart(Side.TREATED, Purpose.LEARNING):
                return False
            if not self._evidence.apart[-1].learned:
                return True
        return True

    def _apart(self, side: Side, purpose: Purpose) -> bool:
        run = self._run(side, purpose)
        self._evidence.apart.append(run)
        self._tell(self._evidence, run)
        return self._sound(run, purpose)

    def _pairs(self) -> bool:
        design = self._evidence.design
        for plain_first in islice(orders(design.seed), design.most):
            side = Side.PLAIN if plain_first else Side.TREATED
            first, second = self._run(side, Purpose.COUNTED), None
            self._tell(self._evidence, first)
            if self._sound(first, Purpose.COUNTED):
                second = self._run(side.other, Purpose.COUNTED)
            if second is None or not self._sound(second, Purpose.COUNTED):
                return False
            pair = Pair(first, second, True) if plain_first else Pair(second, first, False)
            self._evidence.pairs.append(pair)
            self._tell(self._evidence, second)
            if self._may_stop():
                break
        return True

    def _may_stop(self) -> bool:
        evidence = self._evidence
        if evidence.design.runs is not None or len(evidence.pairs) not in LOOKS:
            return False
        return resolved(interval(ready_logs(evidence.pairs), LOOK_ALPHA))

    def _run(self, side: Side, purpose: Purpose, how: str = "") -> ComparedRun:
        return self._run_once(side, purpose, how)

    def _sound(self, run: ComparedRun, purpose: Purpose) -> bool:
        """Notes the problem of a run that has one, and whether the other side has it too."""
        kind = problem_of(run) or self._ready_otherwise(run)
        if kind is None:
            return True
        seen = [run]
        if not any(earlier.side is not run.side for earlier in self._evidence.runs):
            other = self._run(run.side.other, purpose)
            self._evidence.apart.append(other)
            self._tell(self._evidence, other)
            if (problem_of(other), other.exit_code) == (kind, run.exit_code):
                seen.append(other)
        self._evidence.problem = Problem(kind, tuple(seen))
        return False

    def _ready_otherwise(self, run: ComparedRun) -> str | None:
        first = self._evidence.apart[0]
        return None if run.ready_by == first.ready_by else "ready-otherwise"

    def _careful(self, how: str) -> Careful | None:
        """None where the program does not run under these conditions."""
        plain = [self._run(Side.PLAIN, Purpose.CAREFUL, how) for _ in range(CAREFUL_PLAIN)]
        treated = [self._run(Side.TREATED, Purpose.CAREFUL, how)]
        while self._evidence.design.learns and treated[-1].learned and len(treated) <= LEARNING_RUNS:
            treated.append(self._run(Side.TREATED, Purpose.CAREFUL, how))
        runs = (*plain, *treated)
        if any(problem_of(run) for run in runs):
            return None
        for run in runs:
            self._tell(self._evidence, run)
        return Careful(how, compare(plain, treated), runs)


def problem_of(run: ComparedRun) -> str | None:
    """What makes a run no evidence at all."""
    if run.timed_out:
        return "hung"
    if run.exit_code != 0 and not run.stopped:
        return "failed"
    return "never-ready" if run.ready is None else None



def ready_logs(pairs: list[Pair]) -> list[float]:
    """log(plain / treated) of the times at ready."""
    return log_ratios([pair.plain.ready or 0.0 for pair in pairs], [pair.treated.ready or 0.0 for pair in pairs])
