"""How sure a comparison of paired runs is.

Each pair gives one value: log(plain / treated). Their 20% trimmed mean is the effect, with the interval of
Tukey and McLaughlin (1963) as `scipy.stats.mstats.trimmed_mean_ci` computes it: a fifth of the pairs at
either end may be thrown anywhere by a burst or an outlier. By simulation (tests/prove/noise.py) it finds a
real 10% in 15 pairs 98 times in 100, where Wilcoxon's signed-rank interval, at the same confidence, finds
it 78 times.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

TRIMMED = 0.2  # of the pairs, at each end
ALPHA = 0.03  # chance of a false alarm of one look at a fixed number of pairs
LOOKS = (6, 10, 15, 25, 40)  # pairs after which --until-resolved looks at the result
LOOK_ALPHA = 0.0084  # of each of these looks: Pocock's boundary, by which all of them together make ALPHA
MIN_PAIRS = 3  # below these no interval is drawn
RESOLUTION = 0.05  # a difference below 5% is not worth more runs
TARGETS = (0.10, 0.05, 0.02, 0.01)  # differences that a longer experiment could resolve
POWER_Z = 1.6449  # normal quantile of 95%: nine in ten, as a few pairs know the scatter only roughly


@dataclass(frozen=True)
class Interval:
    """A trimmed mean and its interval at confidence 1 - alpha; infinite where there are too few pairs."""

    mid: float
    low: float
    high: float
    pairs: int
    alpha: float

    @property
    def shows_more(self) -> bool:
        """The whole interval lies above zero."""
        return self.low > 0

    @property
    def shows_less(self) -> bool:
        """The whole interval lies below zero."""
        return self.high < 0

    @property
    def half_width(self) -> float:
        return (self.high - self.low) / 2


@dataclass(frozen=True)
class Ratio:
    """plain / treated with its interval: above 1, treated is the smaller one."""

    mid: float
    low: float
    high: float


def interval(values: Sequence[float], alpha: float = ALPHA) -> Interval:
    """The trimmed mean of `values` (one per pair) and its interval."""
    from scipy.stats import mstats

    mid = float(mstats.trimmed_mean(values, (TRIMMED, TRIMMED))) if len(values) else math.nan
    if len(values) < MIN_PAIRS:
        return Interval(mid, -math.inf, math.inf, len(values), alpha)
    low, high = mstats.trimmed_mean_ci(values, (TRIMMED, TRIMMED), (True, True), alpha)
    return Interval(mid, float(low), float(high), len(values), alpha)


def log_ratios(plain: Sequence[float], treated: Sequence[float]) -> list[float]:
    """log(plain / treated) of each pair; all figures are positive."""
    return [math.log(a / b) for a, b in zip(plain, treated, strict=True)]


def as_ratio(logs: Interval) -> Ratio:
    """The interval of log ratios as one of ratios."""
    return Ratio(*(_exp(value) for value in (logs.mid, logs.low, logs.high)))


def _exp(value: float) -> float:
    return math.exp(value) if value < 700 else math.inf


def within(logs: Interval, difference: float = RESOLUTION) -> bool:
    """Whether the interval of log ratios leaves room only for less than `difference` either way."""
    return -math.log1p(difference) < logs.low and logs.high < math.log1p(difference)


def resolved(logs: Interval) -> bool:
    """Whether --until-resolved may stop: a difference is shown, or one worth showing is ruled out."""
    return logs.shows_more or logs.shows_less or within(logs)


def next_resolution(logs: Interval) -> float:
    """The largest difference of TARGETS that these pairs leave open."""
    return next((target for target in TARGETS if not within(logs, target)), TARGETS[-1])


def pairs_needed(logs: Interval, difference: float) -> int | None:
    """Pairs in all at which a real `difference` would be shown nine times in ten; None where nobody can say.

    The half-width shrinks with the root of the pairs; it must leave room for POWER_Z standard errors.
    """
    from scipy.stats import norm

    if not math.isfinite(logs.half_width):
        return None
    quantile = float(norm.isf(logs.alpha / 2))
    wanted = math.log1p(difference) * quantile / (quantile + POWER_Z)
    return max(logs.pairs, math.ceil(logs.pairs * (logs.half_width / wanted) ** 2))
