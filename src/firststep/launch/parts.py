"""The parts of a trace that the processes of a start wrote: regular files, whatever else the program has put beside them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from firststep.model import limits

LARGEST = limits.TEXT - limits.LINE  # bytes that are read, of a part and of all of them: with the header before them they are a trace


def files(folder: Path) -> Iterator[Path]:
    """The files, in order."""
    yield from sorted(folder.glob("*.part"))


def open_part(part: Path) -> BinaryIO:
    """The part, open; it may grow meanwhile. Raises OSError where it is none."""
    descriptor = os.open(part, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_NOCTTY | os.O_CLOEXEC)
    about = os.fstat(descriptor)
    if not stat.S_ISREG(about.st_mode):
        os.close(descriptor)
        raise OSError(f"{part} is no part of a trace")
    return open(descriptor, "rb")


def texts(folder: Path) -> tuple[list[str], bool]:
    """The text of each, what cannot be read left out; and whether all of them fit into a trace: the rest is left out as well."""
    found, room = [], LARGEST
    for part in files(folder):
        try:
            with open_part(part) as file:
                data = file.read(room + 1)
        except OSError:
            continue
        found.append(data[:room].decode("ascii", "replace"))
        if len(data) > room:
            return found, False
        room -= len(data)
    return found, True
