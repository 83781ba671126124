"""Modules that were compiled from source, by the reason that the agent saw."""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.facts import Facts
from firststep.analyse.spans import spans
from firststep.causes._stretches import of_phases_in, time_in
from firststep.model.findings import Evidence, Found
from firststep.model.words import count, duration

KIND = "compile-source"
SHARE = (0.8, 1.0)  # of the compilation: the code is read instead
FEW = 20  # modules: the program's own are compiled once, after each edit


def compiled(given: Facts, why: str, what: str, do: str) -> Found | None:
    """The finding for one reason. A trace that does not know its reasons counts as bytecode that is missing."""
    seen = [one for one in spans(given, KIND) if one.span.labels.get("why", "missing") == why]
    if len(seen) < FEW:
        return None
    cuts = of_phases_in(given, (phases.IMPORTS,), seen, SHARE)
    return Found(what, Evidence(f"{count(len(seen), 'module')} compiled from source in {duration(time_in(cuts))}"), do, "high", cuts)
