"""Opens a saved trace for a report; what is wrong with one is said with the next thing to type."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

from firststep import exit_codes
from firststep.errors import FirststepError
from firststep.model.read_trace import NotATrace, parse_trace
from firststep.model.trace import Trace

GZIP = b"\x1f\x8b"
RECORD = "firststep record -- COMMAND"


def load(path: Path) -> Trace:
    """The trace in `path`, plain or gzip. Raises FirststepError."""
    return _read(path)[1]


def text_of(path: Path) -> str:
    """The text of the trace in `path`, plain or gzip, looked through. Raises FirststepError."""
    return _read(path)[0]


def _read(path: Path) -> tuple[str, Trace]:
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if data.startswith(GZIP) else data).decode("ascii")
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


def _error(path: Path, reason: str, next_step: str) -> FirststepError:
    return FirststepError(f"cannot read {path}", reason, next_step, exit_codes.CANNOT_READ)
