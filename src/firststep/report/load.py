"""Opens a saved trace for a report; what is wrong with one is said with the next thing to type."""

from __future__ import annotations

import gzip
import os
import stat
import zlib
from collections.abc import Sequence
from pathlib import Path

from firststep import exit_codes
from firststep.errors import FirststepError
from firststep.model.limits import TEXT
from firststep.model.read_trace import NotATrace, parse_trace
from firststep.model.trace import Trace

GZIP = b"\x1f\x8b"
RECORD = "firststep record -- COMMAND"
ENDINGS = (".trace", ".trace.gz")
MOST = 100  # traces of one set: more tell nothing new


def load(path: Path) -> Trace:
    """The trace in `path`, plain or gzip. Raises FirststepError."""
    return _read(path)[1]


def traces_in(named: Sequence[Path]) -> list[Path]:
    """These files, and the traces in these folders. Raises FirststepError for a folder without one, and for too many."""
    found: list[Path] = []
    for path in named:
        found += _in_folder(path) if path.is_dir() else [path]
    if len(found) > MOST:
        raise FirststepError(f"{len(found)} traces are more than a set needs", "", f"name at most {MOST} of them", exit_codes.USAGE)
    return found


def _in_folder(folder: Path) -> list[Path]:
    try:
        inside = sorted(path for path in folder.iterdir() if path.name.endswith(ENDINGS))
    except OSError as error:
        raise _error(folder, str(error.strerror), "check that you may read it") from error
    if not inside:
        raise FirststepError(f"there is no trace in {folder}", f"none of its files ends in {' or '.join(ENDINGS)}",
                             "firststep record -o FOLDER/a.trace -- COMMAND", exit_codes.CANNOT_READ)
    return inside


def text_of(path: Path) -> str:
    """The text of the trace in `path`, plain or gzip, looked through. Raises FirststepError."""
    return _read(path)[0]


def _read(path: Path) -> tuple[str, Trace]:
    try:
        text = _bytes(path).decode("ascii")
        return text, parse_trace(text)
    except FileNotFoundError as error:
        raise _error(
            path,
            "there is no such file",
            f"`firststep report` shows the newest kept trace; `{RECORD}` makes one",
        ) from error
    except UnicodeDecodeError as error:
        raise _error(path, "it is not a firststep trace: it is not text", RECORD) from error
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise _error(path, "it is a damaged gzip file", "copy it again") from error
    except OSError as error:
        raise _error(path, str(error.strerror), "check the name and that you may read it") from error
    except NotATrace as error:
        raise _error(
            path, str(error), "record it again, or use the firststep version that wrote it"
        ) from error


def _bytes(path: Path) -> bytes:
    """What the file holds, decompressed: no more than a trace can be. Raises OSError, NotATrace, and gzip's own errors."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise NotATrace("it is not a regular file: save it as one first")
        magic = file.read(len(GZIP))
        file.seek(0)
        opened = gzip.GzipFile(fileobj=file) if magic == GZIP else file
        data = opened.read(TEXT + 1)
    if len(data) > TEXT:
        raise NotATrace("it is larger than any start could make it")
    return data


def _error(path: Path, reason: str, next_step: str) -> FirststepError:
    return FirststepError(f"cannot read {path}", reason, next_step, exit_codes.CANNOT_READ)
