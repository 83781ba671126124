"""Where traces are kept: private files, the newest KEPT of them, unless the user names a place."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

from firststep.errors import reason_of
from firststep.launch.private_file import check_writable, write_private
from firststep.printable import say
from firststep.user_folders import state_folder

KEPT = 50
OURS = re.compile(r"\d{8}-\d{6}-\d+\.trace")  # names that place() gives; others in the folder are the user's


def folder() -> Path:
    """The folder of kept traces; it may not be there yet."""
    return Path(state_folder()) / "traces"


def newest() -> Path | None:
    """The last trace that was kept without a name."""
    return max(_kept(), default=None)


def _kept() -> list[Path]:
    return sorted(path for path in folder().glob("*.trace") if OURS.fullmatch(path.name) and path.is_file())


def place(named: Path | None) -> Path | None:
    """Where a trace goes: as named, else a new name among the kept ones; None, which is said, where there is no room for those.

    Raises FirststepError where what was named cannot be written.
    """
    if named:
        check_writable(named, "-o FILE")
        return named
    path = folder() / time.strftime(f"%Y%m%d-%H%M%S-{os.getpid()}.trace")
    try:
        path.parent.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.parent.mkdir(mode=0o700, exist_ok=True)
        if not os.access(path.parent, os.W_OK | os.X_OK):
            raise PermissionError(13, os.strerror(13))
    except OSError as error:
        say(f"firststep: the trace will not be kept: {path.parent}: {reason_of(error)}; name a place with -o FILE")
        return None
    return path


def save_trace(text: str, path: Path) -> None:
    """Writes the trace. Raises FirststepError."""
    write_private(path, text.encode("ascii", "backslashreplace"), "-o FILE")
    if path.parent == folder():
        for old in _kept()[:-KEPT]:
            old.unlink(missing_ok=True)
