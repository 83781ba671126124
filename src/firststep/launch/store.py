"""Where traces are kept: private files, the newest KEPT of them, unless the user names a place."""

from __future__ import annotations

import os
import time
from pathlib import Path

from firststep import exit_codes
from firststep.errors import FirststepError, reason_of

KEPT = 50


def folder() -> Path:
    """The folder of kept traces; it may not be there yet."""
    import platformdirs

    return Path(platformdirs.user_state_dir("firststep")) / "traces"


def newest() -> Path | None:
    """The last trace that was kept without a name."""
    return max(folder().glob("*.trace"), default=None)


def place(named: Path | None) -> Path:
    """Where a trace goes: as named, else a new name among the kept ones. Raises FirststepError."""
    if named:
        return named
    path = folder() / time.strftime(f"%Y%m%d-%H%M%S-{os.getpid()}.trace")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(path, error, "-o FILE") from error
    return path


def check_writable(path: Path, option: str) -> None:
    """Raises FirststepError now rather than after a long run, if `path` cannot be written. option: what names it."""
    probe = path.with_name(f".{path.name}.{os.getpid()}.probe")
    try:
        if path.is_dir():
            raise IsADirectoryError(21, "it is a folder")
        if _is_special(path):
            os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
        else:
            os.close(os.open(probe, os.O_WRONLY | os.O_CREAT, 0o600))
            probe.unlink(missing_ok=True)
    except OSError as error:
        raise _unwritable(path, error, option) from error


def save_trace(text: str, path: Path) -> None:
    """Writes the trace, `0600`, by a rename, so that no reader sees half of it. Raises FirststepError."""
    try:
        if _is_special(path):
            path.write_text(text, encoding="ascii", errors="backslashreplace")
        else:
            _write(text, path)
    except OSError as error:
        raise _unwritable(path, error, "-o FILE") from error
    if path.parent == folder():
        for old in sorted(folder().glob("*.trace"))[:-KEPT]:
            old.unlink(missing_ok=True)


def _write(text: str, path: Path) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii", errors="backslashreplace") as file:
            file.write(text)
        os.replace(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def _is_special(path: Path) -> bool:
    """Whether it is there and no regular file (/dev/null, a pipe): such a thing is written to, never replaced."""
    return path.exists() and not path.is_file()


def _unwritable(path: Path, error: OSError, option: str) -> FirststepError:
    missing = not path.parent.is_dir()
    reason = f"there is no folder {path.parent}" if missing else reason_of(error)
    return FirststepError(f"{path} cannot be written", reason, f"name another place with {option}",
                          exit_codes.CANNOT_WRITE)
