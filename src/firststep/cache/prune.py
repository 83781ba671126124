"""Keeps the cache within its bound: the entries that were used least recently go first, and what a killed
run left.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from firststep_agent.boost.cache_functions import store as function_store

BOUND = 4 * 1024**3  # bytes
LEFT_OVER_S = 3600.0  # a temporary file this old belongs to nobody


@dataclass(frozen=True)
class Pruned:
    """What pruning removed: files, and their bytes."""

    files: int
    size: int


def prune(root: Path, bound: int = BOUND) -> Pruned:
    """Removes what `bound` bytes do not hold. Files that vanish meanwhile are somebody else's doing and fine."""
    removed = size = total = 0
    entries = []
    for path in root.glob("*/**/*"):
        try:
            found = path.lstat()
        except OSError:
            continue
        if path.is_symlink() or not path.is_file():
            continue
        if path.name.endswith(".tmp") and found.st_mtime < time.time() - LEFT_OVER_S:
            if _remove(path):
                removed, size = removed + 1, size + found.st_size
        elif path.suffix == ".entry":
            total += found.st_size
            entries.append((found.st_mtime, found.st_size, path))
    for _, entry_size, path in sorted(entries):
        if total <= bound:
            break
        if _remove(path):
            removed, size, total = removed + 1, size + entry_size, total - entry_size
            _remove(path.with_suffix(function_store.TRUST))
    return Pruned(removed, size)


def _remove(path: Path) -> bool:
    """False where the disk does not let go of it: it is read-only, or the file vanished meanwhile."""
    try:
        path.unlink()
    except OSError:
        return False
    return True
