"""The text of the user's lines that were seen, kept in the trace: a report shows what ran, and opens no file that a trace names."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterable

FILES, LINES, LONGEST = 100, 3000, 200  # at most so many files, lines of all of them, characters of a line
LARGEST = 4 << 20  # bytes of a file
LIBRARY = re.compile(r"/(?:site|dist)-packages/|/lib/python\d|/firststep_agent/|^[^/]")


def source_text(parts: Iterable[str]) -> dict[str, dict[str, str]]:
    """{file: {line: text}} of the frames in the texts of a trace's parts, as far as the files can be read now."""
    wanted: dict[str, set[int]] = {}
    for part in parts:
        for record in part.splitlines():
            if record.startswith('["f",') and (place := _place(record)) and not LIBRARY.search(place[0]):
                wanted.setdefault(place[0], set()).add(place[1])
    found: dict[str, dict[str, str]] = {}
    room = LINES
    for file, numbers in list(wanted.items())[:FILES]:
        text = _text(file, sorted(numbers)[:room])
        room -= len(text)
        if text:
            found[file] = text
    return found


def _place(record: str) -> tuple[str, int] | None:
    try:
        _, _, file, _, _, line = json.loads(record)
    except (ValueError, RecursionError):
        return None  # cut short, or not as the agent writes it
    return (file, line) if isinstance(file, str) and isinstance(line, int) else None


def _text(file: str, numbers: list[int]) -> dict[str, str]:
    text = text_of(file)
    lines = [] if text is None else text.split("\n")
    return {str(number): lines[number - 1].strip()[:LONGEST] for number in numbers if 0 < number <= len(lines)}


def text_of(file: str) -> str | None:
    """The text of a file of source; None where it cannot be read, is no file, or larger than any source."""
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        about = os.fstat(descriptor)
        if not stat.S_ISREG(about.st_mode) or about.st_size > LARGEST:
            return None
        with open(descriptor, encoding="utf-8-sig", errors="replace", closefd=False) as opened:
            return opened.read(LARGEST)
    except OSError:
        return None
    finally:
        os.close(descriptor)
