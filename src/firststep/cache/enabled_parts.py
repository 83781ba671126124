"""What the runs of an enabled environment leave below the cache directory: a part of a trace each, with its command line."""

from __future__ import annotations

import re
from pathlib import Path

OURS = re.compile(r"\d+-\d+\.part")


def remove_parts(session: Path) -> int:
    """Removes those of one environment, and nothing that others have put there. Returns the bytes removed."""
    return sum(_unlinked(part) for part in (session / "parts").glob("*.part") if OURS.fullmatch(part.name))


def _unlinked(path: Path) -> int:
    try:
        size = path.lstat().st_size
        path.unlink()
    except OSError:
        return 0
    return size
