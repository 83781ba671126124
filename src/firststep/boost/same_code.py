"""Whether a program's code is still what it was at an earlier start: each file of it by its size and the moment of its last change."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping

Stamps = Mapping[str, object]
NAMELESS = ("stdin", "interactive")  # programs whose code is in no file: nobody knows whether it is the same again


def stamps(program: str, files: Iterable[str], began_ns: int) -> Stamps | None:
    """{file: its stamp}; None where the code that ran is not known: it is in no file, or one was changed since. began_ns: the start's
    beginning, on the clock that only goes on."""
    began = time.time_ns() - (time.monotonic_ns() - began_ns)
    found = {file: _stamp(file) for file in files}
    if program in NAMELESS or any(stamp is None or stamp[1] > began for stamp in found.values()):
        return None
    return found


def is_unchanged(then: Stamps | None) -> bool:
    """Whether every file is as it was then; False where that is not known."""
    return then is not None and all(_stamp(file) == stamp for file, stamp in then.items())


def _stamp(file: str) -> list[int] | None:
    try:
        found = os.stat(file)
    except OSError:
        return None
    return [found.st_size, found.st_mtime_ns]
