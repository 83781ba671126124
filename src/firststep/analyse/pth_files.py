"""What `.pth` files cost while Python came up: measured once more where that took long."""

from __future__ import annotations

from collections import Counter

from firststep.analyse.facts import Facts
from firststep.model.facts import PthFile


def pth_files(facts: Facts) -> tuple[PthFile, ...] | None:
    """Costliest first, each with all its runs (a virtual environment's are run twice by some versions); None where it was not measured."""
    found = facts.trace.header.get("pth")
    if found is None:
        return None
    total: Counter[str] = Counter()
    for path, ns in found:
        total[str(path)] += int(ns)
    return tuple(PthFile(path, ns) for path, ns in total.most_common())
