"""From times to a verdict. The tolerance is the scatter that was measured, by the statistics of prove; no percentage stands anywhere.

`logs` are of after / before, or of a time / its limit: above 0 is slower.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

from firststep.check.verdict import GateVerdict
from firststep.prove.statistics import ALPHA, LOOK_ALPHA, LOOKS, MIN_PAIRS, TRIMMED, Interval, difference, interval, within

FAR = math.log(2)  # what lies further apart is told without an interval: noise seldom slows one side alone so much, run for run


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
    values = [math.log(time / limit) for time in times]
    logs = _or_apart(interval(values, look.alpha), [0.0] * len(values), values)
    if logs.shows_more:
        return GateVerdict.REGRESSED, logs
    return GateVerdict.NEUTRAL if logs.high <= 0 else GateVerdict.INCONCLUSIVE, logs


def paired(before: Sequence[float], after: Sequence[float], look: Look) -> tuple[GateVerdict, Interval]:
    """Of interleaved runs."""
    left, right = _logs(before), _logs(after)
    return _verdict(_or_apart(interval([b - a for a, b in zip(left, right, strict=True)], look.alpha), left, right))


def against_sessions(sessions: Sequence[Sequence[float]], after: Sequence[float], drift: float, look: Look) -> tuple[GateVerdict, Interval]:
    """Of a stored baseline: the times of each session. drift: how much slower, as a logarithm, the machine itself is now.

    With three or more sessions, how they scatter tells what a session may be off by. With fewer, the machine's own drift does:
    it is given to both ends. Of fewer than MIN_PAIRS runs, now or stored, nothing is told.
    """
    logs, known = _logs(after), [_logs(times) for times in sessions]
    together = [time for times in known for time in times]
    if min(len(together), len(logs)) < MIN_PAIRS:  # how one or two runs scatter nobody has seen; the other side's scatter is not theirs
        return _verdict(replace(difference(together, logs, look.alpha), low=-math.inf, high=math.inf))
    if len(known) >= MIN_PAIRS:
        middles = [interval(times).mid for times in known]
        return _verdict(_or_apart(difference(middles, [interval(logs).mid] if logs else [], look.alpha), middles, logs, drift))
    found = _or_apart(difference(together, logs, look.alpha), together, logs, drift)
    return _verdict(replace(found, low=found.low - abs(drift), high=found.high + abs(drift)))


def drift_of(before: Sequence[float], now: Sequence[float]) -> float:
    """log(now / before) of the reference workload's times, 0 where it was not measured on both sides."""
    if not before or not now:
        return 0.0
    return math.log(statistics.median(now) / statistics.median(before))


def _or_apart(logs: Interval, before: Sequence[float], after: Sequence[float], drift: float = 0.0) -> Interval:
    """The interval, or where it shows nothing, how far apart the two sides lie, of which one run may have gone astray.

    Of a few runs one that is off makes the interval wide enough for anything. What slows a machine makes runs longer, never
    shorter: the slower side's quickest run is compared with the other side's slowest but for what is left out.
    """
    if logs.shows_more or logs.shows_less or min(len(before), len(after)) < MIN_PAIRS:
        return logs
    far = FAR + abs(drift)
    slower, faster = min(after) - _slowest(before), _slowest(after) - min(before)
    if slower > far or faster < -far:
        ends = (slower, max(after) - min(before)) if slower > far else (min(after) - max(before), faster)
        return replace(logs, mid=statistics.median(after) - statistics.median(before), low=ends[0], high=ends[1])
    return logs


def _slowest(logs: Sequence[float]) -> float:
    """Without those that may have gone astray: as many as the trimmed mean leaves out, and one in any case."""
    return sorted(logs)[-1 - max(1, int(TRIMMED * len(logs)))]


def _logs(times: Sequence[float]) -> list[float]:
    return [math.log(time) for time in times]


def _verdict(logs: Interval) -> tuple[GateVerdict, Interval]:
    if logs.shows_more:
        return GateVerdict.REGRESSED, logs
    if logs.shows_less:
        return GateVerdict.IMPROVED, logs
    return GateVerdict.NEUTRAL if within(logs) else GateVerdict.INCONCLUSIVE, logs
