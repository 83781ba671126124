"""From what was seen to a verdict. Nothing here starts anything."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from firststep import exit_codes
from firststep.prove.experiment import Evidence, Problem, ready_logs
from firststep.prove.results import Comparison
from firststep.prove.run import LATER_STEP, Pair, Run
from firststep.prove.statistics import (
    RESOLUTION,
    Interval,
    Ratio,
    as_ratio,
    interval,
    log_ratios,
    next_resolution,
    pairs_needed,
    within,
)

KEPT = 0.9  # of the milliseconds saved at ready must still be saved later


class Verdict(Enum):
    """What the comparison says."""

    FASTER = "faster"
    SLOWER = "slower"
    DEFERRED = "deferred"
    NO_DIFFERENCE = "no difference shown"
    RESULTS_DIFFER = "results differ"
    NOT_REPRODUCIBLE = "not reproducible"
    FALSE_ALARM = "false alarm"
    NOTHING_LIVE = "nothing was live"
    NOTHING_COMPARABLE = "nothing comparable"
    FAILED = "the command failed"
    HUNG = "the command hung"
    NEVER_READY = "never ready"


EXIT_CODES = {
    Verdict.FASTER: exit_codes.OK,
    Verdict.SLOWER: exit_codes.SLOWER,
    Verdict.DEFERRED: exit_codes.DEFERRED,
    Verdict.NO_DIFFERENCE: exit_codes.NO_DIFFERENCE_SHOWN,
    Verdict.RESULTS_DIFFER: exit_codes.RESULTS_DIFFER,
    Verdict.NOT_REPRODUCIBLE: exit_codes.NOT_REPRODUCIBLE,
    Verdict.FALSE_ALARM: exit_codes.FALSE_ALARM,
    Verdict.NOTHING_LIVE: exit_codes.NOTHING_LIVE,
    Verdict.NOTHING_COMPARABLE: exit_codes.NOTHING_COMPARABLE,
    Verdict.FAILED: exit_codes.PROGRAM_FAILED,
    Verdict.HUNG: exit_codes.TIMED_OUT,
    Verdict.NEVER_READY: exit_codes.NEVER_READY,
}
UNCLEAR = (Verdict.NO_DIFFERENCE, Verdict.NOT_REPRODUCIBLE)
PROBLEMS = {
    "failed": Verdict.FAILED,
    "hung": Verdict.HUNG,
    "never-ready": Verdict.NEVER_READY,
    "ready-otherwise": Verdict.NEVER_READY,
}


@dataclass(frozen=True)
class Question:
    """What was asked. sides: their names; remedies: the treated plan has some; the rest as on the command line."""

    sides: tuple[str, str]
    remedies: bool
    strict: bool = False
    self_check: bool = False
    compare_output: bool = False


@dataclass(frozen=True)
class Metric:
    """A figure of a run. unit: s or bytes."""

    name: str
    unit: str
    of: Callable[[Run], float | None]


METRICS = (
    Metric("ready", "s", lambda run: run.ready),
    Metric(f"step {LATER_STEP}", "s", lambda run: run.step20),
    Metric("exit", "s", lambda run: run.exit),
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


@dataclass(frozen=True)
class Judgement:
    """verdict: the one word; timing: what the times alone say; reasons: sentences; strict: an unclear verdict
    counts as failure."""

    verdict: Verdict
    timing: Verdict | None
    reasons: tuple[str, ...]
    effects: tuple[Effect, ...]
    savings: tuple[Saving, ...]
    exit_code: int
    logs: Interval | None


def judge(evidence: Evidence, question: Question) -> Judgement:
    """The verdict on `evidence`; what stands in the way of a comparison goes before results, those before times."""
    pairs = [pair for pair in evidence.pairs if pair.treated.live or not question.remedies]
    logs = interval(ready_logs(pairs), evidence.design.alpha) if pairs else None
    effects = tuple(effect for metric in METRICS if (effect := _effect(metric, pairs, evidence.design.alpha)))
    savings = tuple(_savings(pairs, evidence.design.alpha)) if logs and logs.shows_more else ()
    timing, timing_reasons, unclear = _timing(logs, savings)
    verdict, reasons = _verdict(evidence, question, pairs, timing)
    if question.self_check and verdict in (Verdict.FASTER, Verdict.SLOWER, Verdict.DEFERRED):
        reasons = [f"{timing_reasons[0]}, and both sides are the same: by chance, or this machine moved"]
        verdict = Verdict.FALSE_ALARM
    elif verdict is timing or pairs:
        reasons = [*reasons, *timing_reasons]
    unclear = unclear or verdict is Verdict.NOT_REPRODUCIBLE
    code = _exit_code(verdict, unclear, evidence.comparison, question.strict)
    return Judgement(verdict, timing, tuple(reasons), effects, savings, code, logs)


def _effect(metric: Metric, pairs: Sequence[Pair], alpha: float) -> Effect | None:
    seen = [(a, b) for pair in pairs if (a := metric.of(pair.plain)) and (b := metric.of(pair.treated))]
    if not seen:
        return None
    plain, treated = [a for a, _ in seen], [b for _, b in seen]
    ratio = as_ratio(interval(log_ratios(plain, treated), alpha))
    return Effect(metric, statistics.median(plain), statistics.median(treated), ratio, len(seen))


def _savings(pairs: Sequence[Pair], alpha: float) -> list[Saving]:
    if any(pair.plain.ready_by == "exit" for pair in pairs):
        return []
    found = []
    for metric in METRICS[1:3]:
        early, later = [], []
        for pair in pairs:
            one, other = metric.of(pair.plain), metric.of(pair.treated)
            if one is not None and other is not None:
                early.append((pair.plain.ready or 0.0) - (pair.treated.ready or 0.0))
                later.append(one - other)
        if later:
            rest = interval([there - KEPT * here for here, there in zip(early, later, strict=True)], alpha)
            found.append(Saving(metric.name, interval(early).mid, interval(later).mid, _kept(rest)))
    return found


def _kept(rest: Interval) -> str:
    """rest: the saving there is later beyond nine tenths of the early one."""
    if rest.shows_less:
        return "deferred"
    return "kept" if rest.mid >= 0 else "unclear"


def _verdict(
    evidence: Evidence, question: Question, pairs: Sequence[Pair], timing: Verdict | None
) -> tuple[Verdict, list[str]]:
    if evidence.problem:
        return PROBLEMS[evidence.problem.kind], [_problem_words(evidence.problem, question, evidence)]
    comparison = evidence.comparison
    assert comparison is not None
    if not pairs:
        return Verdict.NOTHING_LIVE, _nothing_live(evidence)
    if question.compare_output and not any(result.what == "stdout" for run in evidence.runs for result in run.results):
        return Verdict.NOTHING_COMPARABLE, ["--compare-output: the command printed nothing on standard output"]
    if comparison.different:
        return Verdict.RESULTS_DIFFER, list(comparison.different)
    if evidence.careful and evidence.careful.comparison.different:
        how = f"not equal to itself, and {evidence.careful.how} the sides differ"
        return Verdict.RESULTS_DIFFER, [how, *evidence.careful.comparison.different]
    if not comparison.reproducible:
        return Verdict.NOT_REPRODUCIBLE, _not_reproducible(evidence)
    assert timing is not None
    left_out = len(evidence.pairs) - len(pairs)
    said = [f"{left_out} pairs are no evidence: nothing was live in them"] if left_out else []
    return timing, said


def _problem_words(problem: Problem, question: Question, evidence: Evidence) -> str:
    run = problem.runs[0]
    names = [question.sides[0 if each.side.value == "plain" else 1] for each in problem.runs]
    where = "on both sides" if len(names) == 2 else f"under {names[0]}"
    if problem.kind == "failed":
        return f"it ended with exit code {run.exit_code} {where}"
    if problem.kind == "hung":
        ready = f"ready after {run.ready:.1f} s" if run.ready else "not ready"
        return f"it was stopped at --timeout {where}: {ready}, {run.steps} steps seen"
    if problem.kind == "ready-otherwise":
        return f"it was ready by {run.ready_by} {where}, but by {evidence.apart[0].ready_by} before"
    if not run.watched:
        return f"the agent could not get in {where}: `firststep doctor -- COMMAND` says why"
    return f"it ended {where} before it was ready: `--until` says what to wait for"


def _nothing_live(evidence: Evidence) -> list[str]:
    refused = {name: why for run in evidence.runs for name, why in run.refused.items()}
    said = [f"{name} refused: {why}" for name, why in refused.items()]
    return ["no remedy was live in any treated run: there is nothing to compare", *said]


def _not_reproducible(evidence: Evidence) -> list[str]:
    comparison, careful = evidence.comparison, evidence.careful
    assert comparison is not None
    said = ["the program is not equal to itself from run to run", *comparison.unstable]
    if careful is None:
        return [*said, "it could not be run on one thread for a second comparison"]
    if careful.comparison.reproducible:
        return [*said, f"{careful.how} it is, and both sides computed the same"]
    return [*said, f"nor {careful.how}: seed its random streams (`keras.utils.set_random_seed`) to compare results"]


def _timing(logs: Interval | None, savings: Sequence[Saving]) -> tuple[Verdict | None, list[str], bool]:
    """What the times say, in words, and whether that is unclear."""
    if logs is None:
        return None, [], True
    confidence = f"{logs.pairs} pairs, {100 * (1 - logs.alpha):.3g}% confidence"
    ratio = as_ratio(logs)
    measured = f"{ratio.mid:.2f} ({ratio.low:.2f} to {ratio.high:.2f}; {confidence})"
    if logs.shows_more:
        lost = [saving for saving in savings if saving.state != "kept"]
        words = [f"ready is reached {measured} times as fast", *map(_lost_words, lost)]
        deferred = any(saving.state == "deferred" for saving in lost)
        return Verdict.DEFERRED if deferred else Verdict.FASTER, words, bool(lost) and not deferred
    if logs.shows_less:
        return Verdict.SLOWER, [f"ready is reached {measured} times as fast: slower"], False
    if within(logs):
        return Verdict.NO_DIFFERENCE, [f"a difference of {RESOLUTION:.0%} or more is ruled out: {measured}"], False
    return Verdict.NO_DIFFERENCE, [_cannot_conclude(logs)], True


def _lost_words(saving: Saving) -> str:
    figures = f"of {1000 * saving.ready:.0f} ms saved at ready, {1000 * saving.later:.0f} ms are left at {saving.at}"
    if saving.state == "deferred":
        return f"deferred: {figures}"
    return f"whether the saving lasts is not shown: {figures}, give or take"


def _cannot_conclude(logs: Interval) -> str:
    wanted = next_resolution(logs)
    needed = pairs_needed(logs, wanted)
    if needed is None:
        return f"cannot conclude in {logs.pairs} runs of each side; 3 are the least, 6 a beginning"
    more = max(1, needed - logs.pairs)
    return f"cannot conclude in {logs.pairs} runs of each side; {more} more would resolve {wanted:.0%}"


def _exit_code(verdict: Verdict, unclear: bool, comparison: Comparison | None, strict: bool) -> int:
    if strict and verdict is Verdict.FASTER and unclear:
        return exit_codes.DEFERRED
    if strict and verdict in (Verdict.FASTER, Verdict.NO_DIFFERENCE) and comparison and not comparison.found:
        return exit_codes.NOTHING_COMPARABLE
    if verdict in UNCLEAR and not (strict and unclear):
        return exit_codes.OK
    return EXIT_CODES[verdict]
