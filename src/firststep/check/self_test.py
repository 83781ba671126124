"""How often would this gate be wrong here? 100 gates of identical programs, and 100 with a known delay, drawn from measured runs.

The times of runs of one program, in the order in which they were made, are the noise of this machine. A simulated gate is made of
blocks of them (Künsch, 1989: the moving block bootstrap), so that what slows several runs in a row does so there, too.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from firststep.check.gate import Look, paired
from firststep.check.verdict import GateVerdict
from firststep.prove.order import orders

GATES = 100
DELAY = 0.10  # of the start
BLOCK = 5  # runs in a row
LEAST_RUNS = 12
FALSE_ALARMS, FOUND = 0.05, 0.90


@dataclass(frozen=True)
class SelfTest:
    """How many gates of GATES said regressed. runs: from which they were drawn; made: median number of pairs until resolved."""

    runs: int
    identical: int
    delayed: int
    pairs: int

    @property
    def kept(self) -> bool:
        """Whether a gate on this machine is worth its name."""
        return self.identical <= FALSE_ALARMS * GATES and self.delayed >= FOUND * GATES

    def words(self) -> str:
        """One line."""
        return (f"of {GATES} gates drawn from {self.runs} runs, {self.identical} called an identical program regressed, "
                f"{self.delayed} one that is {DELAY:.0%} slower; {self.pairs} pairs each, in the middle")


def self_test(times: Sequence[float], runs: int | None = None, seed: int = 1) -> SelfTest:
    """times: seconds of at least LEAST_RUNS runs of one program, in their order. runs: of each side, None for as many as it takes."""
    choose = random.Random(seed)
    logs = _steady([math.log(time) for time in times])
    made: list[int] = []
    identical, delayed = (sum(_gate(logs, delay, runs, choose, made) is GateVerdict.REGRESSED for _ in range(GATES))
                          for delay in (0.0, DELAY))
    return SelfTest(len(times), identical, delayed, sorted(made)[len(made) // 2])


def _steady(logs: Sequence[float]) -> list[float]:
    """Without their mean: what is left is noise."""
    mean = math.fsum(logs) / len(logs)
    return [value - mean for value in logs]


def _gate(logs: Sequence[float], delay: float, runs: int | None, choose: random.Random, made: list[int]) -> GateVerdict:
    """One gate, which looks when a real one would."""
    look = Look(runs)
    before: list[float] = []
    after: list[float] = []
    drawn = _blocks(logs, 2 * look.most, choose)
    verdict = GateVerdict.INCONCLUSIVE
    for number, base_first in enumerate(islice(orders(choose.randrange(2**32)), look.most)):
        first, second = math.exp(drawn[2 * number]), math.exp(drawn[2 * number + 1])
        before.append(first if base_first else second)
        after.append((second if base_first else first) * (1 + delay))
        if look.due(len(before)):
            verdict, _ = paired(before, after, look)
            if verdict is not GateVerdict.INCONCLUSIVE:
                break
    made.append(len(before))
    return verdict


def _blocks(logs: Sequence[float], count: int, choose: random.Random) -> list[float]:
    drawn: list[float] = []
    while len(drawn) < count:
        begin = choose.randrange(len(logs))
        drawn += [logs[(begin + step) % len(logs)] for step in range(BLOCK)]
    return drawn[:count]
