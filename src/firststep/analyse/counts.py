"""Counts of a start that come out the same every time, on whatever machine: what a budget can hold without a tolerance."""

from __future__ import annotations

from collections.abc import Mapping

from firststep.analyse.facts import Facts
from firststep.analyse.import_tree import import_tree
from firststep.analyse.loads import loads
from firststep.analyse.native_libraries import native_libraries
from firststep.analyse.spans import spans
from firststep.analyse.variables import variables

COUNTS: Mapping[str, str] = {  # what a count is called, and what it is
    "modules": "modules imported",
    "libraries": "libraries of machine code opened",
    "traces": "functions traced, every time counted",
    "ops": "operations of all traced graphs",
    "variables": "variables made",
    "variable-bytes": "bytes of the variables",
    "loads": "models, weights and checkpoints read",
    "read-bytes": "bytes of the models, weights and checkpoints read",
    "processes": "Python processes",
}


def counts(facts: Facts) -> Mapping[str, int]:
    """Up to ready, by the names of COUNTS; what was not watched is not in it."""
    found: dict[str, int] = {"processes": len(facts.trace.processes)}
    if (tree := facts(import_tree)) is not None:
        found["modules"] = len({module.name for module in tree.modules})  # how often one is looked for depends on the order of sets
    if (opened := facts(native_libraries)) is not None:
        found["libraries"] = len({library.path for library in opened})
    if facts.measured("frameworks"):
        traced, made, read = spans(facts, "trace"), facts(variables), facts(loads)
        found["traces"] = len(traced)
        found["ops"] = sum(int(seen.span.labels.get("ops", 0)) for seen in traced)
        found["variables"] = len(made.variables) if made else 0
        found["variable-bytes"] = made.bytes if made else 0
        found["loads"] = len(read)
        found["read-bytes"] = sum(one.bytes or 0 for one in read)
    return {name: found[name] for name in COUNTS if name in found}
