"""What the pairs show of each figure, and whether the time saved at ready lasts."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from firststep.prove.run import LATER_STEP, ComparedRun, Pair
from firststep.prove.statistics import Interval, Ratio, as_ratio, interval, log_ratios

KEPT = 0.9  # of the milliseconds saved at ready must still be saved later


@dataclass(frozen=True)
class Metric:
    """A figure of a run. unit: s or bytes."""

    name: str
    unit: str
    of: Callable[[ComparedRun], float | None]


READY = Metric("ready", "s", lambda run: run.ready)
LATER = (
    Metric(f"step {LATER_STEP}", "s", lambda run: run.step20),
    Metric("exit", "s", lambda run: run.exit),
)
TIMES = (READY, *LATER)  # since the start of the run
METRICS = (
    *TIMES,
    Metric("one step", "s", lambda run: run.step),
    Metric("CPU time", "s", lambda run: run.cpu),
    Metric("peak memory", "bytes", lambda run: run.memory),
)


@dataclass(frozen=True)
class Effect:
    """A metric of both sides (medians) and the paired ratio plain / treated with its interval."""

    metric: Metric
    plain: float
    treated: float
    ratio: Ratio
    pairs: int


@dataclass(frozen=True)
class Saving:
    """Seconds saved at ready and at a later moment. state: kept, deferred, or unclear."""

    at: str
    ready: float
    later: float
    state: str


def effects(pairs: Sequence[Pair], alpha: float) -> tuple[Effect, ...]:
    """Of each metric that both runs of some pair have."""
    return tuple(effect for metric in METRICS if (effect := _effect(metric, pairs, alpha)))


def _effect(metric: Metric, pairs: Sequence[Pair], alpha: float) -> Effect | None:
    seen = [(a, b) for pair in pairs if (a := metric.of(pair.plain)) and (b := metric.of(pair.treated))]
    if not seen:
        return None
    plain, treated = [a for a, _ in seen], [b for _, b in seen]
    ratio = as_ratio(interval(log_ratios(plain, treated), alpha))
    return Effect(metric, statistics.median(plain), statistics.median(treated), ratio, len(seen))


def savings(pairs: Sequence[Pair], alpha: float) -> tuple[Saving, ...]:
    """At each later moment there is; none where ready is the exit itself."""
    if any(pair.plain.ready_by == "exit" for pair in pairs):
        return ()
    return tuple(saving for metric in LATER if (saving := _saving(metric, pairs, alpha)))


def _saving(metric: Metric, pairs: Sequence[Pair], alpha: float) -> Saving | None:
    both = [pair for pair in pairs if metric.of(pair.plain) and metric.of(pair.treated)]
    if not both:
        return None
    early, later = ([_saved(pair, moment) for pair in both] for moment in (READY, metric))
    rest = interval([there - KEPT * here for here, there in zip(early, later, strict=True)], alpha)
    return Saving(metric.name, interval(early).mid, interval(later).mid, _state(rest))


def _saved(pair: Pair, metric: Metric) -> float:
    return (metric.of(pair.plain) or 0.0) - (metric.of(pair.treated) or 0.0)


def _state(rest: Interval) -> str:
    """rest: the saving there is later, beyond nine tenths of the early one."""
    if rest.shows_less:
        return "deferred"
    return "kept" if rest.mid >= 0 else "unclear"
