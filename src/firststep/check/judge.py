"""From the samples of a program to what its budget says of them. Nothing here starts anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from firststep.check.baseline import Stored, from_the_future
from firststep.check.gate import Look, against_limit, against_sessions, drift_of, paired
from firststep.check.sample import MeasuredStart
from firststep.check.settings import DEFAULT, FIRST_STEP, MOST_RUNS, TOTAL, Budget
from firststep.check.verdict import Check, GateVerdict, worst
from firststep.diff.comparable import in_the_way
from firststep.model.facts import Identity
from firststep.model.words import count, duration
from firststep.prove.statistics import MIN_PAIRS, Interval, as_ratio, next_resolution, pairs_needed

NO_BASELINE = "there is nothing to compare with: firststep check --save-baseline, or --merge-base main"
NO_STEP = 'where none is meant, say until = "exit"'
HALF = 0.5
NOTHING_S = 1e-3  # of a time that is shorter on both sides no ratio says anything


@dataclass(frozen=True)
class Base:
    """What a program is compared with: `samples` of interleaved runs, or what is `stored`, with the reference work's times now."""

    name: str
    samples: tuple[MeasuredStart, ...] = ()
    stored: Stored | None = None
    reference: tuple[float, ...] = ()

    def identities(self) -> list[Identity]:
        return [self.stored.identity] if self.stored else [sample.identity for sample in self.samples]

    def count(self, name: str) -> int | None:
        """What the counts of the base have; the largest where they differ."""
        if self.stored:
            return self.stored.counts.get(name)
        return max((sample.counts[name] for sample in self.samples if name in sample.counts), default=None)


@dataclass(frozen=True)
class Judged:
    """One program's outcome."""

    name: str
    checks: tuple[Check, ...]
    notes: tuple[str, ...]
    runs: int

    @property
    def verdict(self) -> GateVerdict:
        return worst(self.checks)


def judged_times(budget: Budget, has_base: bool) -> int:
    """How many times are judged at once."""
    return sum(limit is not None for limit in budget.time.values()) + len(_compared(budget, has_base))


def _compared(budget: Budget, has_base: bool) -> list[str]:
    """The times that are compared with the base."""
    asked = [name for name, limit in budget.time.items() if limit is None]
    return asked if TOTAL in asked or not has_base else [TOTAL, *asked]


def judge(budget: Budget, samples: Sequence[MeasuredStart], base: Base | None, look: Look) -> Judged:
    """Every check of one program."""
    look = replace(look, judged=judged_times(budget, base is not None))
    checks = [*_limits(budget, samples, look), *_comparisons(budget, samples, base, look), *_counts(budget, samples, base),
              *_findings(budget, samples), *_steps(budget, samples)]
    return Judged(budget.name, tuple(checks), tuple(_notes(samples, base)), len(samples))


def failed(budget: Budget, why: str) -> Judged:
    """A program that could not be judged."""
    return Judged(budget.name, (Check("program", budget.name, GateVerdict.INCOMPARABLE, "", "", why),), (), 0)


def _steps(budget: Budget, samples: Sequence[MeasuredStart]) -> list[Check]:
    """A program that ends before what is waited for is soon done: no gate is to be the greener for it."""
    without = sum(not sample.identity.ready for sample in samples)
    if budget.until != FIRST_STEP or not without:
        return []
    return [Check("program", budget.name, GateVerdict.INCONCLUSIVE, "a first step", f"none in {without} of {count(len(samples), 'run')}",
                  NO_STEP)]


def _limits(budget: Budget, samples: Sequence[MeasuredStart], look: Look) -> list[Check]:
    found = []
    for name, limit in budget.time.items():
        if limit is not None:
            times = [sample.times[name] for sample in samples]
            verdict, logs = against_limit(times, limit, look)
            words = _more_runs(logs) if verdict is GateVerdict.INCONCLUSIVE else ""
            found.append(Check("time", name, verdict, seconds(limit), _range(logs, limit), words))
    return found


def _comparisons(budget: Budget, samples: Sequence[MeasuredStart], base: Base | None, look: Look) -> list[Check]:
    names = _compared(budget, base is not None)
    if not names:
        return []
    if base is None:
        return [Check("change", name, GateVerdict.INCOMPARABLE, "the baseline", "", NO_BASELINE) for name in names]
    reasons = _in_the_way(base, samples)
    if reasons:
        return [Check("change", name, GateVerdict.INCOMPARABLE, base.name, "", "; ".join(reasons)) for name in names]
    return [_comparison(name, samples, base, look) for name in names]


def _comparison(name: str, samples: Sequence[MeasuredStart], base: Base, look: Look) -> Check:
    times = [sample.times[name] for sample in samples]
    sessions = [session.times.get(name, ()) for session in base.stored.sessions] if base.stored else []
    if not all(sessions):
        return Check("change", name, GateVerdict.INCOMPARABLE, base.name, "", f"the baseline has no {name}")
    before = [each for session in sessions for each in session] if base.stored else [sample.times[name] for sample in base.samples]
    if before and max(*before, *times) < NOTHING_S:
        return Check("change", name, GateVerdict.NEUTRAL, base.name, f"under {NOTHING_S * 1e3:g} ms in every run")
    if base.stored:
        drift = drift_of([each for session in base.stored.sessions for each in session.reference], base.reference)
        verdict, logs = against_sessions(sessions, times, drift, look)
    else:
        verdict, logs = paired(before, times, look)
    words = _more_runs(logs) if verdict is GateVerdict.INCONCLUSIVE else ""
    if len(before) < MIN_PAIRS <= len(times):  # more runs now are no help
        words = f"{base.name} has {count(len(before), 'run')}, and {MIN_PAIRS} are the least: firststep check --save-baseline"
    return Check("change", name, verdict, base.name, _change(logs), words)


def _counts(budget: Budget, samples: Sequence[MeasuredStart], base: Base | None) -> list[Check]:
    found = []
    for name, limit in budget.counts.items():
        of_base = limit is None
        if of_base:
            limit = base.count(name) if base and not _in_the_way(base, samples, machine=False) else None
        values = [sample.counts[name] for sample in samples if name in sample.counts]
        if limit is None or not values:
            why = "it was not measured" if not values else NO_BASELINE if base is None else "the baseline is not of this program"
            found.append(Check("count", name, GateVerdict.INCOMPARABLE, "the baseline", "", why))
            continue
        found.append(Check("count", name, _counted(values, limit, of_base), f"{limit:,}{f' ({base.name})' if of_base and base else ''}",
                           _values(values)))
    return found


def _values(values: Sequence[int]) -> str:
    low, high = min(values), max(values)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _counted(values: Sequence[int], limit: int, of_base: bool) -> GateVerdict:
    if min(values) > limit:
        return GateVerdict.REGRESSED
    if max(values) > limit:
        return GateVerdict.INCONCLUSIVE
    return GateVerdict.IMPROVED if of_base and max(values) < limit else GateVerdict.NEUTRAL


def _findings(budget: Budget, samples: Sequence[MeasuredStart]) -> list[Check]:
    """Those that were found, and those that must not be."""
    names = [name for name, level in budget.findings.items() if level == "error" and name != DEFAULT]
    names += [name for sample in samples for name in sample.findings]
    found = []
    for name in dict.fromkeys(names):
        level, share = budget.level(name), sum(name in sample.findings for sample in samples) / len(samples)
        if level == "off" or not share and level != "error":
            continue
        words = next((sample.findings[name] for sample in samples if name in sample.findings), "")
        measured = f"found in {share:.0%} of the runs" if share else "not found"
        found.append(Check("finding", name, _found(level, share), level, measured, words, warning=level == "warn"))
    return found


def _found(level: str, share: float) -> GateVerdict:
    if level == "warn" or not share:
        return GateVerdict.NEUTRAL
    return GateVerdict.REGRESSED if share > HALF else GateVerdict.INCONCLUSIVE


def _in_the_way(base: Base, samples: Sequence[MeasuredStart], machine: bool = True) -> list[str]:
    """Why the base is no measurement of the same thing; machine: whether another one counts, as it does for times."""
    if base.stored and from_the_future(base.stored):
        return ["the baseline was saved in the future: a clock is wrong"]
    sides = base.identities(), [sample.identity for sample in samples]
    if not machine:
        sides = tuple([replace(one, cpu="", architecture="") for one in side] for side in sides)  # type: ignore[assignment]
    return in_the_way(*sides)


def _notes(samples: Sequence[MeasuredStart], base: Base | None) -> list[str]:
    if not base or _in_the_way(base, samples, machine=False):
        return []
    moved = [f"{name} {base.count(name):,} → {values[-1]:,}" for name in samples[-1].counts
             if (values := [sample.counts[name] for sample in samples if name in sample.counts])
             and (known := base.count(name)) is not None and not min(values) <= known <= max(values)]
    notes = [f"counts that are not those of {base.name}: {', '.join(moved)}"] if moved else []
    if base.stored and len(base.stored.sessions) < MIN_PAIRS:
        notes.append(f"the baseline has {len(base.stored.sessions)} of {MIN_PAIRS} sessions: until then the machine's own drift "
                     "is added to the noise")
    return notes


def seconds(value: float) -> str:
    """A time in words."""
    return duration(round(value * 1e9))


def _range(logs: Interval, limit: float) -> str:
    ratio = as_ratio(logs)
    if logs.pairs < MIN_PAIRS:
        return f"{seconds(ratio.mid * limit)} in {count(logs.pairs, 'run')}"
    return f"{seconds(ratio.mid * limit)} ({seconds(ratio.low * limit)} to {seconds(min(ratio.high * limit, 1e6))}; {logs.pairs} runs)"


def _change(logs: Interval) -> str:
    ratio = as_ratio(logs)
    if logs.pairs < MIN_PAIRS and logs.high == float("inf"):
        return f"{ratio.mid - 1:+.1%} in {count(logs.pairs, 'run')}"
    return f"{ratio.mid - 1:+.1%} ({ratio.low - 1:+.1%} to {ratio.high - 1:+.1%})"


def _more_runs(logs: Interval) -> str:
    wanted = next_resolution(logs)
    needed = pairs_needed(logs, wanted)
    if needed is None:
        return f"{MIN_PAIRS} runs are the least"
    if needed > MOST_RUNS:
        return f"more than {MOST_RUNS} runs would be needed to resolve {wanted:.0%} on this machine: a quieter one would be a better gate"
    return f"about {needed} runs would resolve {wanted:.0%} on this machine"
