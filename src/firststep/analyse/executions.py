"""Functions' first executions, which hold all that a function needs to run, against their later ones."""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import spans
from firststep.model.facts_frameworks import Execution

LATER = "later-call "


def executions(facts: Facts) -> tuple[Execution, ...]:
    """Costliest first."""
    later = {name.removeprefix(LATER): value for leg in facts(path) for name, value in leg.process.counters.items()
             if name.startswith(LATER)}
    found = [Execution(seen.span.name, seen.span.end - seen.span.start, *later.get(seen.span.name, (0, 0)))
             for seen in spans(facts, "first-call")]
    return tuple(sorted(found, key=lambda one: -one.first_ns))
