"""From the facts of a start to what was found, what matters most first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.what_if import in_all, saved
from firststep.causes import Cause, Given, all_causes
from firststep.model.findings import Diagnosis, Failed, Finding, Found, Gain, Level, NotMeasured

MATTERS_NS = 30_000_000  # what gains less is no finding, nor is what gains less than the share
MATTERS = 0.01
SEVERE: tuple[tuple[float, Level], ...] = ((0.2, "high"), (0.05, "medium"))  # share of the start
ELSEWHERE = 0.5  # of a gain, where the machine is at fault and it is not the most of the start: the program's own causes come first
BELIEF = {"high": 1.0, "medium": 0.7, "low": 0.4}  # of a gain, by the confidence in it: for the order, and for what is shown


def diagnosis(facts: Facts) -> Diagnosis:
    """Every cause asked once; a fact like any other, computed when somebody asks."""
    findings, not_measured, failed = [], [], []
    for cause in all_causes():
        lacks = [name for name in cause.watched if not facts.measured(name)]
        if lacks:
            not_measured.append(NotMeasured(cause.id, ", ".join(lacks)))
            continue
        try:
            found = cause.find(Given(facts, cause.facts))
            finding = _finding(facts, cause, found) if found else None
        except Exception as error:
            failed.append(Failed(cause.id, f"{type(error).__name__}: {error}"))
            continue
        if finding:
            findings.append(finding)
    return Diagnosis(tuple(ranked(findings)), tuple(not_measured), tuple(failed), _boosted(facts, findings),
                     _edited(facts, findings), in_all(cut for one in findings if one.after_ready for cut in one.cuts))


def _finding(facts: Facts, cause: Cause, found: Found) -> Finding | None:
    gain = found.gain or (in_all(found.cuts) if found.after_ready else saved(facts, found.cuts))
    wall = facts(partition).wall_ns
    if gain.high_ns < max(MATTERS_NS, wall * MATTERS) and not found.whatever_it_gains:
        return None
    by_gain: Level = next((level for share, level in SEVERE if gain.middle_ns >= wall * share), "low")
    severity: Level = "high" if found.costs_every_step else by_gain
    remedies = cause.remedies if found.remedies is None else found.remedies
    return Finding(cause.id, cause.group, found.what, severity, found.confidence, gain, found.evidence, found.do,
                   remedies, found.after_ready, found.cuts, found.costs_every_step)


def ranked(findings: Iterable[Finding]) -> list[Finding]:
    """By what there is to gain; of one group the second counts half, the third a third: ten ways to say that imports
    are slow hide nothing else. What boost does and what only an edit does are two groups: the one does not hide the other. What makes
    every step slow stands before all."""
    seen: Counter[tuple[str, bool]] = Counter()
    weights: dict[str, float] = {}
    for one in sorted(findings, key=lambda one: (-worth(one), one.id)):
        seen[one.group, one.boosted] += 1
        weights[one.id] = worth(one) / seen[one.group, one.boosted]
    return sorted(findings, key=lambda one: (not one.costs_every_step, -weights[one.id], one.id))


def worth(one: Finding) -> float:
    """Nanoseconds to gain, by how sure that is, and by who is at fault."""
    elsewhere = ELSEWHERE if one.group == "machine" and one.severity != "high" else 1.0
    return one.gain.middle_ns * BELIEF[one.confidence] * elsewhere


def _boosted(facts: Facts, findings: Iterable[Finding]) -> Gain:
    """What all that boost does would gain together: overlaps count once."""
    return saved(facts, (cut for one in findings if one.boosted and not one.after_ready for cut in one.cuts))


def _edited(facts: Facts, findings: Iterable[Finding]) -> Gain:
    """The same of all that only an edit or a setting removes."""
    return saved(facts, (cut for one in findings if not one.boosted and not one.after_ready for cut in one.cuts))
