"""The parts of a trace that the processes of a start wrote: regular files, whatever else the program has put beside them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

LARGEST = 256 << 20  # bytes of a part that are read


def files(folder: Path) -> Iterator[Path]:
    """The files, in order."""
    yield from sorted(folder.glob("*.part"))


def open_part(part: Path) -> BinaryIO:
    """The part, open. Raises OSError where it is none."""
    descriptor = os.open(part, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_NOCTTY | os.O_CLOEXEC)
    about = os.fstat(descriptor)
    if not stat.S_ISREG(about.st_mode) or about.st_size > LARGEST:
        os.close(descriptor)
        raise OSError(f"{part} is no part of a trace")
    return open(descriptor, "rb")


def texts(folder: Path) -> Iterator[str]:
    """The text of each; what cannot be read is none."""
    for part in files(folder):
        try:
            with open_part(part) as file:
                yield file.read().decode("ascii", "replace")
        except OSError:
            continue
