"""Keeps the cache within its bound: the entries that were used least recently go first, and what a killed
run left.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from firststep.remedies import all_remedies
from firststep_agent.boost import upkeep
from firststep_agent.boost.folders import root as open_root

BOUND = 4 * 1024**3  # bytes


@dataclass(frozen=True)
class Pruned:
    """What pruning removed: files, and their bytes."""

    files: int
    size: int


def prune(root: Path, bound: int = BOUND) -> Pruned:
    """Removes what `bound` bytes do not hold; the savings are kept. Raises store.Unsafe where `root` is not our cache."""
    return Pruned(*upkeep.prune(open_root(str(root)), [remedy.id for remedy in all_remedies()], bound))
