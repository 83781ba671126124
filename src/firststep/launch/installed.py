"""Packages that pip has put into a folder of their own (`pip install --target vendor`): no code of the user's, though they lie in no
`site-packages`. pip leaves a RECORD of each beside it; what stands in none of them, in the same folder, is the user's."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from functools import cache

from firststep.model.ownership import AGENT_FILE, INSTALLED

FRAME = '["f",'
LARGEST_FOLDER = 20_000  # entries: a larger one is none of pip's
LARGEST_RECORD = 32 << 20  # bytes


def installed(parts: Iterable[str]) -> list[str]:
    """The packages and modules (`/app/vendor/requests`, `/app/vendor/six.py`) that frames in a trace's parts are of."""
    look = _Look()
    return sorted({package for file in _files(parts) if (package := look.package_of(file))})


def _files(parts: Iterable[str]) -> set[str]:
    found = set()
    for part in parts:
        for record in part.splitlines():
            if record.startswith(FRAME):
                try:
                    file = json.loads(record)[2]
                except (ValueError, RecursionError, IndexError):
                    continue  # cut short
                if isinstance(file, str) and file.startswith("/") and not (INSTALLED.match(file) or AGENT_FILE.match(file)):
                    found.add(file)
    return found


class _Look:
    """Each folder and each RECORD is read once."""

    def __init__(self) -> None:
        self._records = cache(_records)
        self._lists = cache(_lists)

    def package_of(self, file: str) -> str | None:
        """The outermost part of its path that a RECORD beside it lists."""
        for folder, name in _outward(file):
            if any(self._lists(record, name) for record in self._records(folder)):
                return f"{folder}/{name}"
        return None


def _outward(file: str) -> Iterator[tuple[str, str]]:
    """(folder, what of it the file is in), from the file on; never the root."""
    folder, _, name = file.rpartition("/")
    while folder:
        yield folder, name
        folder, _, name = folder.rpartition("/")


def _records(folder: str) -> tuple[str, ...]:
    found = []
    try:
        with os.scandir(folder) as entries:
            for number, entry in enumerate(entries):
                if number >= LARGEST_FOLDER:
                    return ()
                if entry.name.endswith(".dist-info"):
                    found.append(f"{entry.path}/RECORD")
    except OSError:
        return ()
    return tuple(found)


def _lists(record: str, name: str) -> bool:
    try:
        if os.path.getsize(record) > LARGEST_RECORD:
            return False
        with open(record, "rb") as file:
            text = b"\n" + file.read()
    except OSError:
        return False
    return any(b"\n" + os.fsencode(name) + after in text for after in (b"/", b","))
