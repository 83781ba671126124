"""The reasons of a verdict, as sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from firststep.model.words import count
from firststep.prove.effects import Saving
from firststep.prove.experiment import Gathered, Problem
from firststep.prove.run import ComparedRun, Side
from firststep.prove.statistics import LOOKS, Interval, as_ratio, next_resolution, pairs_needed

NOT_IN = "the agent could not get in"
NOTHING_FOUND = "no result was found to compare: `--compare-output` or `firststep.result(...)` can name some"
FARTHEST = 5 * LOOKS[-1]  # pairs: where more would be needed, more runs are no advice


def measured(logs: Interval) -> str:
    """The ratio with its interval."""
    ratio = as_ratio(logs)
    confidence = f"{100 * (1 - logs.alpha):.3g}% confidence"
    return f"{ratio.mid:.2f} ({ratio.low:.2f} to {ratio.high:.2f}; {logs.pairs} pairs, {confidence})"


def cannot_conclude(logs: Interval) -> str:
    """How many more runs would resolve which difference."""
    wanted = next_resolution(logs)
    needed = pairs_needed(logs, wanted)
    begin = f"cannot conclude in {count(logs.pairs, 'run')} of each side"
    if needed is None:
        return f"{begin}; 3 are the least, 6 a beginning"
    if needed > FARTHEST:
        return f"{begin}; {wanted:.0%} would take {needed} of them: a quieter machine helps more than more runs"
    return f"{begin}; {max(1, needed - logs.pairs)} more would resolve {wanted:.0%}"


def lost(saving: Saving) -> str:
    """A saving that does not last, or of which that is not known."""
    figures = f"of {1000 * saving.ready:.0f} ms saved at ready, {1000 * saving.later:.0f} ms are left at {saving.at}"
    if saving.state == "deferred":
        return f"deferred: {figures}"
    return f"whether the saving lasts is not shown: {figures}, give or take"


def problem_words(problem: Problem, evidence: Gathered, sides: tuple[str, str]) -> str:
    """Why no comparison took place."""
    run = problem.runs[0]
    where = "on both sides" if len(problem.runs) == 2 else f"under {sides[0 if run.side is Side.PLAIN else 1]}"
    if problem.kind == "failed":
        return f"it ended with exit code {run.exit_code} {where}"
    if problem.kind == "hung":
        ready = f"ready after {run.ready:.1f} s" if run.ready else "not ready"
        return f"it was stopped at --timeout {where}: {ready}, {run.steps} steps seen"
    if problem.kind == "ready-otherwise":
        return f"it was ready by {run.ready_by} {where}, but by {evidence.apart[0].ready_by} before"
    if not run.watched:
        return f"{NOT_IN} {where}: `firststep doctor -- COMMAND` says why"
    return f"it ended {where} before it was ready: `--until` says what to wait for"


def nothing_live(evidence: Gathered) -> list[str]:
    """Why treated runs are no evidence."""
    if not any(run.watched for run in evidence.runs):
        return [f"nothing to compare: {NOT_IN}: `firststep doctor -- COMMAND` says why"]
    return ["no remedy was live in any treated run: there is nothing to compare", *refusals(evidence.runs)]


def refusals(runs: Iterable[ComparedRun]) -> Iterator[str]:
    """Which remedies refused: one sentence for each reason."""
    named: dict[str, list[str]] = {}
    for name, why in {name: why for run in runs for name, why in run.refused.items()}.items():
        named.setdefault(why, []).append(name)
    return (f"{', '.join(names)} refused: {why}" for why, names in named.items())


def not_reproducible(evidence: Gathered) -> list[str]:
    """What differs from run to run, and what remained of it on one thread."""
    comparison, careful = evidence.comparison, evidence.careful
    assert comparison is not None
    said = ["the program is not equal to itself from run to run", *comparison.unstable]
    if careful is None:
        return [*said, "it could not be run on one thread for a second comparison"]
    if careful.comparison.reproducible:
        return [*said, f"{careful.how} it is, and both sides computed the same"]
    return [*said, f"nor {careful.how}: seed its random streams (`keras.utils.set_random_seed`) to compare results"]
