"""Empties the cache: what boost made, and nothing else that may lie beside it."""

from __future__ import annotations

from pathlib import Path

from firststep.cache.enabled_parts import remove_parts
from firststep.cache.entries import folders
from firststep.cache.place import ENABLED
from firststep_agent.boost.folders import root as open_root
from firststep_agent.boost.upkeep import clear as clear_root


def clear(root: Path) -> int:
    """Removes every entry, the savings, and what runs of enabled environments have left. Returns the bytes removed. Raises store.Unsafe
    where `root` is not our cache."""
    removed: int = clear_root(open_root(str(root)), folders())
    return removed + sum(map(remove_parts, (root / ENABLED).glob("*")))
