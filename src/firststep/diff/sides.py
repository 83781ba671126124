"""The traces of both sides: files, and folders of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from firststep import exit_codes
from firststep.diff.start import Start, start_of
from firststep.errors import FirststepError
from firststep.report.load import load

ENDINGS = (".trace", ".trace.gz")
USAGE = "firststep diff BEFORE AFTER, or firststep diff BEFORE... -- AFTER..."
MOST = 100  # traces of a side: more tell nothing new


def sides(before: Sequence[Path], after: Sequence[Path]) -> tuple[list[Start], list[Start]]:
    """Raises FirststepError for what is no trace, and for a side without one."""
    return [start_of(load(path)) for path in _files(before)], [start_of(load(path)) for path in _files(after)]


def _files(named: Sequence[Path]) -> list[Path]:
    found: list[Path] = []
    for path in named:
        found += _in_folder(path) if path.is_dir() else [path]
    if len(found) > MOST:
        raise FirststepError(f"{len(found)} traces are more than a comparison needs", "", f"name at most {MOST} of them",
                             exit_codes.USAGE)
    return found


def _in_folder(folder: Path) -> list[Path]:
    inside = sorted(path for path in folder.iterdir() if path.name.endswith(ENDINGS))
    if not inside:
        raise FirststepError(f"there is no trace in {folder}", f"none of its files ends in {' or '.join(ENDINGS)}",
                             "firststep record -o FOLDER/a.trace -- COMMAND", exit_codes.CANNOT_READ)
    return inside
