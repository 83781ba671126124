"""Looks for a pattern in the lines of what is printed, and gives up where that takes too long.

One thread hears what is printed and passes it on; the main thread looks through it, for there alone a search can be stopped: Python
searches on through a signal everywhere else. A pattern may take longer than anybody lives, `(a+)+$` is one, and holds Python's lock.
"""

from __future__ import annotations

import re
import signal
import threading
import time
from types import FrameType

from firststep.printable import say

LONGEST_LINE = 1 << 16  # bytes of a line that are looked through
MOST_UNSEEN = 1 << 22  # bytes that wait to be looked through, before what is printed waits
LONGEST_S = 1.0  # of CPU time, for what is looked through at once
Found = tuple[int, str]  # (monotonic ns, the line)


class LineSearch:
    """Until the pattern is found, or takes too long."""

    def __init__(self, pattern: str) -> None:
        self._pattern = re.compile(pattern.encode())
        self._line = bytearray()
        self._found: Found | None = None
        self.given_up = False
        self._lock = threading.Lock()
        self._heard: list[tuple[int, bytes]] = []
        self._unseen = 0

    @property
    def _over(self) -> bool:
        return self.given_up or self._found is not None

    def hear(self, data: bytes) -> None:
        """Of what is printed, the next bytes."""
        while self._unseen > MOST_UNSEEN and not self._over:
            time.sleep(0.001)
        if not self._over:
            with self._lock:
                self._heard.append((time.monotonic_ns(), data))
                self._unseen += len(data)

    def over(self) -> None:
        """Nothing more is printed: what stands there without a line end is a line, too."""
        self.look()
        if self._line:
            self.hear(b"\n")

    def look(self) -> Found | None:
        """The first line with the pattern in it, of all that was heard so far."""
        with self._lock:
            heard, self._heard, self._unseen = self._heard, [], 0
        if heard and not self._over:
            try:
                with _Limit(LONGEST_S):
                    self._found = next(filter(None, (self._search(at, data) for at, data in heard)), None)
            except _TookTooLong:
                self.given_up = True
                say(f"firststep: no line is looked for any more: the pattern of --until took longer than {LONGEST_S:g} s")
        return self._found

    def _search(self, at: int, data: bytes) -> Found | None:
        """Through the lines that end in `data`; the beginning of the one that does not is kept for later."""
        *lines, rest = data.split(b"\n")
        for end in lines:
            self._add(end)
            if self._pattern.search(self._line):
                return at, self._line.decode(errors="replace")
            self._line.clear()
        self._add(rest)
        return None

    def _add(self, part: bytes) -> None:
        self._line += part[:LONGEST_LINE - len(self._line)]


class _TookTooLong(Exception):
    pass


class _Limit:
    """Raises _TookTooLong in its block after so much CPU time of this process; on a thread other than the main one, never."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds if threading.current_thread() is threading.main_thread() else 0.0
        self._inside = False

    def __enter__(self) -> None:
        if self._seconds:
            self._before = signal.signal(signal.SIGVTALRM, self._ring)
            self._inside = True
            signal.setitimer(signal.ITIMER_VIRTUAL, self._seconds)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        if self._inside:
            raise _TookTooLong

    def __exit__(self, *error: object) -> None:
        self._inside = False
        if self._seconds:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, self._before)
