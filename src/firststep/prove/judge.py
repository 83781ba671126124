"""From what was seen to a verdict. Nothing here starts anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firststep import exit_codes
from firststep.model.resolution import RESOLUTION
from firststep.prove.effects import Effect, Saving, effects, savings
from firststep.prove.experiment import Gathered, ready_logs
from firststep.prove.run import Pair
from firststep.prove.statistics import Interval, interval, within
from firststep.prove.verdict import EXIT_CODES, UNCLEAR, ProofVerdict
from firststep.prove.wording import NOTHING_FOUND, cannot_conclude, lost, measured, not_reproducible, nothing_live, problem_words

PROBLEMS = {
    "failed": ProofVerdict.FAILED,
    "hung": ProofVerdict.HUNG,
    "never-ready": ProofVerdict.NEVER_READY,
    "ready-otherwise": ProofVerdict.NEVER_READY,
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
class Timing:
    """What the times alone say. clear: False where more runs might say otherwise."""

    verdict: ProofVerdict
    reasons: tuple[str, ...]
    clear: bool = True


@dataclass(frozen=True)
class Judgement:
    """verdict: the one word; timing: what the times alone say, None without a pair; reasons: sentences."""

    verdict: ProofVerdict
    timing: Timing | None
    reasons: tuple[str, ...]
    effects: tuple[Effect, ...]
    savings: tuple[Saving, ...]
    exit_code: int


def judge(evidence: Gathered, question: Question) -> Judgement:
    """The verdict on `evidence`; what stands in the way of a comparison goes before results, those before times."""
    pairs = [pair for pair in evidence.pairs if pair.treated.live or not question.remedies]
    alpha = evidence.design.alpha
    logs = interval(ready_logs(pairs), alpha) if pairs else None
    kept = savings(pairs, alpha) if logs and logs.shows_more else ()
    timing = _timing(logs, kept) if logs else None
    verdict, reasons = _verdict(evidence, question, pairs, timing)
    if question.self_check and verdict in (ProofVerdict.FASTER, ProofVerdict.SLOWER, ProofVerdict.DEFERRED):
        verdict, reasons = ProofVerdict.FALSE_ALARM, ["both sides are the same: it was chance, or the machine moved"]
    if question.strict and timing and verdict is timing.verdict and evidence.comparison and not evidence.comparison.found:
        verdict, reasons = ProofVerdict.NOTHING_COMPARABLE, [f"--strict: {NOTHING_FOUND}", *reasons]
    if timing:
        reasons = [*reasons, *timing.reasons]
    code = _exit_code(verdict, timing, question.strict)
    return Judgement(verdict, timing, tuple(reasons), effects(pairs, alpha), kept, code)


def _timing(logs: Interval, kept: Sequence[Saving]) -> Timing:
    if logs.shows_more:
        doubtful = [saving for saving in kept if saving.state != "kept"]
        deferred = any(saving.state == "deferred" for saving in doubtful)
        reasons = (f"ready is reached {measured(logs)} times as fast", *map(lost, doubtful))
        return Timing(ProofVerdict.DEFERRED if deferred else ProofVerdict.FASTER, reasons, deferred or not doubtful)
    if logs.shows_less:
        return Timing(ProofVerdict.SLOWER, (f"ready is reached {measured(logs)} times as fast: slower",))
    if within(logs):
        return Timing(ProofVerdict.NO_DIFFERENCE, (f"a difference of {RESOLUTION:.0%} is ruled out: {measured(logs)}",))
    return Timing(ProofVerdict.NO_DIFFERENCE, (cannot_conclude(logs),), clear=False)


def _verdict(
    evidence: Gathered, question: Question, pairs: Sequence[Pair], timing: Timing | None
) -> tuple[ProofVerdict, list[str]]:
    """The verdict, and the reasons that are not of time."""
    if evidence.problem:
        return PROBLEMS[evidence.problem.kind], [problem_words(evidence.problem, evidence, question.sides)]
    if timing is None:
        return ProofVerdict.NOTHING_LIVE, nothing_live(evidence)
    if question.compare_output and not _printed(evidence):
        return ProofVerdict.NOTHING_COMPARABLE, ["--compare-output: the command printed nothing on standard output"]
    comparison, careful = evidence.comparison, evidence.careful
    assert comparison is not None
    if comparison.different:
        return ProofVerdict.RESULTS_DIFFER, list(comparison.different)
    if careful and careful.comparison.different:
        how = f"not equal to itself, and {careful.how} the sides differ"
        return ProofVerdict.RESULTS_DIFFER, [how, *careful.comparison.different]
    if not comparison.reproducible:
        return ProofVerdict.NOT_REPRODUCIBLE, not_reproducible(evidence)
    left_out = len(evidence.pairs) - len(pairs)
    return timing.verdict, [f"{left_out} pairs are no evidence: nothing was live in them"] if left_out else []


def _printed(evidence: Gathered) -> bool:
    return any(result.what == "stdout" for run in evidence.runs for result in run.results)


def _exit_code(verdict: ProofVerdict, timing: Timing | None, strict: bool) -> int:
    if not strict:
        return exit_codes.OK if verdict in UNCLEAR else EXIT_CODES[verdict]
    if timing is None or verdict is not timing.verdict:
        return EXIT_CODES[verdict]
    if verdict is ProofVerdict.NO_DIFFERENCE and timing.clear:
        return exit_codes.OK
    if verdict is ProofVerdict.FASTER and not timing.clear:
        return exit_codes.DEFERRED
    return EXIT_CODES[verdict]
