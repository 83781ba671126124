"""Empties the cache: the folders that boost made, and nothing else that may lie beside them."""

from __future__ import annotations

import shutil
from pathlib import Path

from firststep.cache.savings import FOLDER
from firststep.remedies import all_remedies


def clear(root: Path) -> int:
    """Removes every remedy's folder and the savings. Returns the bytes removed."""
    removed = 0
    for name in (*(remedy.id for remedy in all_remedies()), FOLDER):
        folder = root / name
        before = _size(folder)
        shutil.rmtree(folder, ignore_errors=True)
        removed += before - _size(folder)
    return removed


def _size(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.glob("**/*") if path.is_file())
