"""A finished comparison, and what there is to say of it in words; the reports differ only in how they set it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from firststep.prove import machine
from firststep.prove.effects import TIMES, Effect
from firststep.prove.experiment import Gathered
from firststep.prove.judge import Judgement, Question
from firststep.prove.page_cache import Emptied
from firststep.prove.run import ComparedRun, Side
from firststep.prove.verdict import ProofVerdict
from firststep.prove.wording import refusals

Row = tuple[str, str, str, str]
FEW = 6  # pairs: a beginning
USELESS = 4  # times as high as low: such an interval tells nobody anything


@dataclass(frozen=True)
class Proof:
    """command and baseline: as a shell would take them; cold: how the page cache was emptied, if it was."""

    command: str
    baseline: str | None
    question: Question
    evidence: Gathered
    judgement: Judgement
    cold: Emptied | None

    @property
    def all_runs(self) -> list[ComparedRun]:
        """Every run that was made, those that showed a problem or were compared on one thread last."""
        evidence = self.evidence
        extra = [run for part in (evidence.problem, evidence.careful) if part for run in part.runs]
        known = set(map(id, evidence.runs))
        return [*evidence.runs, *(run for run in extra if id(run) not in known)]


def headline(proof: Proof) -> str:
    """What is known, medians first: `15.1 → 4.7 s, CPU 11.8 → 3.6 s, the same results; 2 pairs are too few for an interval`."""
    effects = {effect.metric.name: effect for effect in proof.judgement.effects}
    if "ready" not in effects:
        return verdict_words(proof)
    ready = effects["ready"]
    words = [_from_to(ready.plain, ready.treated)]
    if "CPU time" in effects:
        words.append("CPU " + _from_to(effects["CPU time"].plain, effects["CPU time"].treated))
    comparison = proof.evidence.comparison
    if comparison and comparison.reproducible:
        words.append("other results" if comparison.different else "the same results" if comparison.found else "no results compared")
    return f"{', '.join(words)}; {_how_sure(ready)}"


def _from_to(before: float, after: float) -> str:
    digits = 2 if before < 10 else 1
    return f"{before:.{digits}f} → {after:.{digits}f} s"


def _how_sure(ready: Effect) -> str:
    ratio, pairs = ready.ratio, ready.pairs
    if ratio.low == 0:
        return f"{pairs} pair{' is' if pairs == 1 else 's are'} too few for an interval"
    if ratio.low <= 1 <= ratio.high and ratio.high > ratio.low * USELESS:
        few = f"{pairs} pairs are too few to say" if pairs < FEW else f"the runs of {pairs} pairs differ too much to say"
        return f"{few} ({ratio.low:.2f} to {ratio.high:.2f} times as fast)"
    return f"{ratio.mid:.2f} times as fast ({ratio.low:.2f} to {ratio.high:.2f}, {pairs} pairs)"


def verdict_words(proof: Proof) -> str:
    """The verdict for people: `no difference shown` only where there was power to show one."""
    judgement = proof.judgement
    if judgement.verdict is ProofVerdict.NO_DIFFERENCE and judgement.timing and not judgement.timing.clear:
        return "not resolved"
    return judgement.verdict.value


def rows(proof: Proof) -> list[Row]:
    """One row a metric: its name, both sides' medians, the paired ratio with its interval."""
    return [_row(effect) for effect in proof.judgement.effects]


def _row(effect: Effect) -> Row:
    metric, ratio = effect.metric, effect.ratio
    name = f"time at {metric.name}" if metric in TIMES else metric.name
    told = f"{ratio.mid:.2f}" if ratio.low == 0 else f"{ratio.mid:.2f} ({ratio.low:.2f} to {ratio.high:.2f})"
    return name, amount(effect.plain, metric.unit), amount(effect.treated, metric.unit), told


def amount(value: float, unit: str) -> str:
    """A figure as a reader wants it: seconds, milliseconds or megabytes."""
    if unit == "bytes":
        return f"{value / 1e6:.0f} MB"
    return f"{value:.2f} s" if value >= 0.1 else f"{value * 1000:.1f} ms"


def remarks(proof: Proof) -> list[tuple[str, list[str]]]:
    """Titles with sentences below them, in order; only those there is something to say of."""
    found = (
        ("Saved", list(_saved(proof))),
        ("Results", list(_results(proof))),
        ("Remedies", list(_remedies(proof))),
        ("Not counted", list(_not_counted(proof))),
        ("Machine", list(_machine(proof))),
        ("What the program said last", list(_said_last(proof))),
    )
    return [(title, lines) for title, lines in found if lines]


def _saved(proof: Proof) -> Iterator[str]:
    for saving in proof.judgement.savings:
        yield (f"at ready {1000 * saving.ready:.0f} ms, at {saving.at} {1000 * saving.later:.0f} ms "
               f"({saving.state if saving.state != 'unclear' else 'not shown to be kept'})")


def _results(proof: Proof) -> Iterator[str]:
    evidence = proof.evidence
    comparison = evidence.comparison
    if comparison is None:
        return
    if not comparison.found:
        yield "no losses, variables or outputs were found: `--compare-output` or `firststep.result(...)` can name some"
    if comparison.compared:
        equal = "the same" if not comparison.different else "compared"
        yield f"{equal} in all runs, bit by bit: " + "; ".join(comparison.compared)
    for words in comparison.unstable:
        yield f"not equal between plain runs: {words}"
    for words in comparison.different:
        yield f"different: {words}"
    if comparison.renamed:
        first, *more = comparison.renamed
        yield f"of equal value, but of another name: {first}" + (f", and {len(more)} more" if more else "")
    careful = evidence.careful
    if careful:
        again = careful.comparison
        verdict = "equal" if again.reproducible and not again.different else "not equal"
        yield f"compared again {careful.how}: {verdict}"
        yield from (f"  {words}" for words in (*again.unstable, *again.different))


def _remedies(proof: Proof) -> Iterator[str]:
    if not proof.question.remedies:
        return
    treated = [pair.treated for pair in proof.evidence.pairs]
    live = Counter(name for run in treated for name in run.live)
    for name, count in live.most_common():
        yield f"{name}: live in {count} of {len(treated)} treated runs"
    if treated and not live:
        yield "none was live"
    yield from refusals(treated)


def _not_counted(proof: Proof) -> Iterator[str]:
    for run in proof.evidence.apart:
        yield f"{run.purpose.value}, {name_of(proof.question, run.side)}: {told(run)}"


def _machine(proof: Proof) -> Iterator[str]:
    conditions = [run.conditions for run in proof.all_runs if run.conditions]
    if proof.cold:  # that its size moves is what was asked for
        conditions = [replace(each, cached=0) for each in conditions]
    cpus = os.cpu_count() or 1
    moved = machine.moved(conditions, cpus)
    yield from moved or (["quiet: nothing moved that was looked at"] if conditions else [])
    if proof.cold:
        yield str(proof.cold)


def _said_last(proof: Proof) -> Iterator[str]:
    problem = proof.evidence.problem
    if problem:
        for run in problem.runs:
            lines = run.printed_last.splitlines()[-10:]
            yield from (f"{name_of(proof.question, run.side)}: {line}" for line in lines)


def name_of(question: Question, side: Side) -> str:
    """What a side is called in reports."""
    return question.sides[0 if side is Side.PLAIN else 1]


def told(run: ComparedRun) -> str:
    """A run in a few words."""
    if run.timed_out:
        return "stopped at --timeout"
    if run.ready is None:
        return f"ended with exit code {run.exit_code}, never ready"
    return f"ready {amount(run.ready, 's')}" + (f", exit {amount(run.exit, 's')}" if run.exit is not None else "")
