"""The parts of a trace that the processes of a start wrote: regular files, whatever else the program has put beside them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from firststep.model import limits

LARGEST = limits.TEXT - limits.LINE  # bytes that are read, of a part and of all of them: with the header before them they are a trace
MOST_LINES, MOST_VALUES = limits.RECORDS * 9 // 10, limits.VALUES * 9 // 10  # of all of them, for the same reason


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
    found, room = [], Room(LARGEST, MOST_LINES, MOST_VALUES)
    for part in files(folder):
        try:
            with open_part(part) as file:
                data = file.read(room.characters + 1)
        except OSError:
            continue
        text = data.decode("ascii", "replace")
        kept, room = room.kept(text)
        found.append(kept)
        if len(kept) < len(text):
            return found, False
    return found, True


@dataclass(frozen=True)
class Room:
    """How much more of a trace would be read again."""

    characters: int
    lines: int
    values: int

    def kept(self, text: str) -> tuple[str, Room]:
        """As many of the text's lines as there is room for, and the room that is left."""
        if not self._holds(text):
            text = text[:self.characters]
            if not self._holds(text):
                text = "".join(self._first(text.splitlines(keepends=True)))
        return text, Room(self.characters - len(text), self.lines - text.count("\n"), self.values - limits.values(text))

    def _holds(self, text: str) -> bool:
        return len(text) <= self.characters and text.count("\n") <= self.lines and limits.values(text) <= self.values

    def _first(self, lines: list[str]) -> Iterator[str]:
        values = 0
        for line in lines[:self.lines]:
            values += limits.values(line)
            if values > self.values:
                return
            yield line
