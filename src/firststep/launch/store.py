"""Where traces are kept: private files, the newest KEPT of them, unless the user names a place."""

from __future__ import annotations

import os
import time
from pathlib import Path

from firststep import exit_codes
from firststep.errors import FirststepError

KEPT = 50


def folder() -> Path:
    """The folder of kept traces, made if need be."""
    import platformdirs

    path = Path(platformdirs.user_state_dir("firststep")) / "traces"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def newest() -> Path | None:
    """The last trace that was kept without a name."""
    return max(folder().glob("*.trace"), default=None)


def check_writable(path: Path) -> None:
    """Raises FirststepError now rather than after a long run, if `path` cannot be written."""
    try:
        os.close(os.open(path.with_name(f".{path.name}.probe"), os.O_WRONLY | os.O_CREAT, 0o600))
        path.with_name(f".{path.name}.probe").unlink()
        if path.is_dir():
            raise IsADirectoryError(21, "it is a folder")
    except OSError as error:
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> FirststepError:
    return FirststepError(f"{path} cannot be written", str(error.strerror), "name another place with -o FILE",
                          exit_codes.CANNOT_WRITE)


def save_trace(text: str, named: Path | None) -> Path:
    """Writes the trace, `0600`, by a rename, so that no reader sees half of it. Raises FirststepError."""
    path = named or folder() / time.strftime(f"%Y%m%d-%H%M%S-{os.getpid()}.trace")
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii", errors="backslashreplace") as file:
            file.write(text)
        os.replace(temporary, path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise _unwritable(path, error) from error
    if named is None:
        for old in sorted(folder().glob("*.trace"))[:-KEPT]:
            old.unlink(missing_ok=True)
    return path
