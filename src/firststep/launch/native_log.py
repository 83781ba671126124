"""What a program's native libraries logged to stderr, where that is a file: read from there afterwards, with nothing put in between.

TensorFlow's C++ writes its lines past Python. On a terminal or in a pipe they are gone once they are written
(docs/decisions/007-first-calls-and-native-log-lines.md); in a file, as batch systems make them, they can be read again.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from datetime import datetime

MOST_BYTES, MOST_LINES, LONGEST = 4 << 20, 500, 500
STAMPED = re.compile(
    r"(?:(?P<day>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\.(?P<fraction>\d{1,9}): (?P<level>[IWEF]) (?P<file>\S+\.(?:cc|h|cu)):\d+\] )"
    r"|(?:[IWEF]\d{4} 00:00:(?P<epoch>\d{9,11})\.(?P<micro>\d{6}) +\d+ (?P<source>\S+\.(?:cc|h|cu)):\d+\] )")
CONTINUED = re.compile(r"Relying on (?:the )?driver to perform ptx compilation")  # of what comes without a stamp; the rest is the program's


class NativeLog:
    """The program's stderr, from the moment at which this is made. descriptor: that of this process which the program has as well."""

    def __init__(self, descriptor: int) -> None:
        self._file, self._from = -1, 0
        try:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                self._file = os.open(f"/proc/self/fd/{descriptor}", os.O_RDONLY | os.O_CLOEXEC)
                self._from = os.fstat(self._file).st_size
        except OSError:
            pass  # closed, or not to be read: nothing is known of it

    @property
    def is_read(self) -> bool:
        """Whether there is a file to read it from."""
        return self._file >= 0

    def lines(self, clock: tuple[int, int]) -> list[tuple[int, str]]:
        """(moment on the trace's clock, line) of what has been logged so far. clock: that clock's reading and the time of day then."""
        if self._file < 0:
            return []
        try:
            text = os.pread(self._file, MOST_BYTES, self._from).decode("utf-8", "replace")
        except OSError:
            return []
        return [(at - clock[1] + clock[0], line) for at, line in _stamped(text)][:MOST_LINES]

    def close(self) -> None:
        """Nothing more is read."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _stamped(text: str) -> Iterator[tuple[int, str]]:
    """(nanoseconds since 1970, line) of lines in TensorFlow's two notations, and of what is known to continue one."""
    at = 0
    for line in text.split("\n"):
        stamp = STAMPED.match(line)
        if stamp:
            at = _moment(stamp)
        if at and (stamp or CONTINUED.match(line)):
            yield at, line[:LONGEST]


def _moment(stamp: re.Match[str]) -> int:
    if stamp["epoch"]:
        return int(stamp["epoch"]) * 1_000_000_000 + int(stamp["micro"]) * 1000
    try:
        seconds = int(datetime.strptime(stamp["day"], "%Y-%m-%d %H:%M:%S").timestamp())  # the program's time zone, and ours
    except (ValueError, OverflowError, OSError):
        return 0
    return seconds * 1_000_000_000 + int(stamp["fraction"].ljust(9, "0"))
