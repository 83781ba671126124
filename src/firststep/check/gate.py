"""From times to a verdict. The tolerance is the scatter that was measured, by the statistics of prove; no percentage stands anywhere.

`logs` are of after / before, or of a time / its limit: above 0 is slower.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

from firststep.check.verdict import GateVerdict
from firststep.prove.statistics import ALPHA, LOOK_ALPHA, LOOKS, MIN_PAIRS, Interval, difference, interval, within


@dataclass(frozen=True)
class Look:
    """How often the gate looks at its samples, and how many times of a program it judges at once. runs: None for as many as it
    takes."""

    runs: int | None
    judged: int = 1

    @property
    def alpha(self) -> float:
        """The chance of a false alarm of one judgement, so that all of them together have that of one comparison."""
        return (LOOK_ALPHA if self.runs is None else ALPHA) / max(1, self.judged)

    @property
    def most(self) -> int:
        return LOOKS[-1] if self.runs is None else self.runs

    def due(self, made: int) -> bool:
        """Whether to look after so many runs."""
        return made in LOOKS if self.runs is None else made == self.runs


def against_limit(times: Sequence[float], limit: float, look: Look) -> tuple[GateVerdict, Interval]:
    """Neutral below the limit, regressed above it, inconclusive where the noise spans it."""
    logs = interval([math.log(time / limit) for time in times], look.alpha)
    if logs.shows_more:
        return GateVerdict.REGRESSED, logs
    return GateVerdict.NEUTRAL if logs.high <= 0 else GateVerdict.INCONCLUSIVE, logs


def paired(before: Sequence[float], after: Sequence[float], look: Look) -> tuple[GateVerdict, Interval]:
    """Of interleaved runs."""
    return _verdict(interval([math.log(b / a) for a, b in zip(before, after, strict=True)], look.alpha))


def against_sessions(sessions: Sequence[Sequence[float]], after: Sequence[float], drift: float, look: Look) -> tuple[GateVerdict, Interval]:
    """Of a stored baseline: the times of each session. drift: how much slower, as a logarithm, the machine itself is now.

    With three or more sessions, how they scatter tells what a session may be off by. With fewer, the machine's own drift does:
    it is given to both ends.
    """
    logs = [math.log(time) for time in after]
    known = [[math.log(time) for time in times] for times in sessions]
    if len(known) >= MIN_PAIRS:
        return _verdict(difference([interval(times).mid for times in known], [interval(logs).mid] if logs else [], look.alpha))
    found = difference([time for times in known for time in times], logs, look.alpha)
    return _verdict(replace(found, low=found.low - abs(drift), high=found.high + abs(drift)))


def drift_of(before: Sequence[float], now: Sequence[float]) -> float:
    """log(now / before) of the reference workload's times, 0 where it was not measured on both sides."""
    if not before or not now:
        return 0.0
    return math.log(statistics.median(now) / statistics.median(before))


def _verdict(logs: Interval) -> tuple[GateVerdict, Interval]:
    if logs.shows_more:
        return GateVerdict.REGRESSED, logs
    if logs.shows_less:
        return GateVerdict.IMPROVED, logs
    return GateVerdict.NEUTRAL if within(logs) else GateVerdict.INCONCLUSIVE, logs
