"""Who holds a module, but its own package: they have imported it, whoever did so first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from firststep.analyse.facts import Facts
from firststep.analyse.path import path

MARK = "held-modules"
OF_THE_PROGRAM = ""  # in the place of a package's name


def holders(facts: Facts) -> Mapping[str, frozenset[str]] | None:
    """Packages by the installed module that they hold, of the processes of the critical path; None where no process has told."""
    found: dict[str, set[str]] = defaultdict(set)
    told = [mark for leg in facts(path) for mark in leg.process.marks if mark.name == MARK]
    for mark in told:
        for name, packages in mark.labels.get("holders", ()):
            found[name].update(packages)
    return {name: frozenset(packages) for name, packages in found.items()} if told else None
