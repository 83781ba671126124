"""Files that the tool writes where the user says: whole or not at all, for the user's eyes only, never through a link.

A file gets its name by a rename from one that was made under a name nobody can guess, below a descriptor of the folder. A device
or a pipe is written to as it is; so is what /dev offers under a link (/dev/stdout), which others cannot turn elsewhere.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from firststep import exit_codes
from firststep.errors import FirststepError, reason_of

DEVICES = "/dev/"


def check_writable(path: Path, option: str) -> None:
    """Raises FirststepError now rather than after a long run, if `path` cannot be written. option: what names it."""
    try:
        if _is_special(path):
            os.close(_open_special(path))
        else:
            folder = _open_folder(path)
            try:
                name, file = _make(folder)
                os.close(file)
                os.unlink(name, dir_fd=folder)
            finally:
                os.close(folder)
    except OSError as error:
        raise unwritable(path, error, option) from error


def write_private(path: Path, data: bytes, option: str) -> None:
    """Writes `data`, `0600`. Raises FirststepError; what stood there before stands there still then."""
    try:
        if _is_special(path):
            _write_special(path, data)
        else:
            _write_file(path, data)
    except OSError as error:
        raise unwritable(path, error, option) from error


def unwritable(path: Path, error: OSError, option: str) -> FirststepError:
    """Why `path` cannot be written, and what names another one."""
    missing = not path.parent.is_dir()
    reason = f"there is no folder {path.parent}" if missing else reason_of(error)
    return FirststepError(f"{path} cannot be written", reason, f"name another place with {option}", exit_codes.CANNOT_WRITE)


def _write_file(path: Path, data: bytes) -> None:
    folder = _open_folder(path)
    try:
        name, file = _make(folder)
        try:
            try:
                _write_all(file, data)
            finally:
                os.close(file)
            os.rename(name, path.name, src_dir_fd=folder, dst_dir_fd=folder)
        except OSError:
            os.unlink(name, dir_fd=folder)
            raise
    finally:
        os.close(folder)


def _open_folder(path: Path) -> int:
    if not path.name or path.is_dir() and not path.is_symlink():
        raise IsADirectoryError(21, "it is a folder")
    return os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


def _make(folder: int) -> tuple[str, int]:
    """A new file in `folder`, under a name that nobody knows."""
    name = f".firststep-{os.urandom(12).hex()}"
    return name, os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=folder)


def _is_special(path: Path) -> bool:
    """Whether it is a device or a pipe: such a thing is written to, never replaced."""
    if os.path.abspath(path).startswith(DEVICES):
        return path.exists() and not path.is_dir()
    try:
        mode = path.lstat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISLNK(mode) or stat.S_ISDIR(mode))


def _open_special(path: Path) -> int:
    """Raises OSError: a pipe without a reader, or one that another user made, is not written to."""
    follow = 0 if os.path.abspath(path).startswith(DEVICES) else os.O_NOFOLLOW
    file = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC | follow)
    if not follow or os.fstat(file).st_uid in (0, os.geteuid()):
        os.set_blocking(file, True)
        return file
    os.close(file)
    raise PermissionError(13, "it belongs to another user")


def _write_special(path: Path, data: bytes) -> None:
    file = _open_special(path)
    try:
        _write_all(file, data)
    finally:
        os.close(file)


def _write_all(file: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(file, view):]
