"""What the program itself named: stretches by `firststep.phase`, moments by `firststep.mark`."""

from __future__ import annotations

from collections import defaultdict

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import Seen, spans, total_ns
from firststep.model.facts import Marks, NamedMoment, NamedPhase

OWN = ("held-modules", "untried", "waits-for", "wrapped-over")  # marks of firststep's own


def marks(facts: Facts) -> Marks:
    """Up to ready, phases by the time they took, moments in their order."""
    groups: dict[str, list[Seen]] = defaultdict(list)
    for seen in spans(facts, "phase"):
        groups[seen.span.name].append(seen)
    phases = [NamedPhase(name, len(found), total_ns(tuple(found))) for name, found in groups.items()]
    start = facts.trace.spawned[0]
    moments = [NamedMoment(mark.name, mark.at - start) for leg in facts(path) for mark in leg.process.marks
               if mark.name not in OWN and leg.start <= mark.at <= leg.end]
    return Marks(tuple(sorted(phases, key=lambda one: -one.ns)), tuple(sorted(moments, key=lambda one: one.after_ns)))
