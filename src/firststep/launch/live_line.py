"""While a start is waited for: one line on the terminal that says what it is doing.

The program writes to the same terminal, past this tool. So the line has the last row for itself: everything else scrolls above
it (a scrolling region, as package managers use it for their progress), which leaves each byte that the program writes where it
would have stood. The kernel tells when somebody writes there; then the line goes, and comes back when there is silence again.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from firststep import printable
from firststep.launch.readable import writable_now

if TYPE_CHECKING:
    from firststep.launch.under_way import UnderWay

FIRST_S = 2.0  # after the start: a quick program shows none
SILENCE_S = 1.0  # since anybody wrote
EVERY_S = 1.0
LEAST_ROWS, LEAST_COLUMNS = 5, 20
SAVE, RESTORE, DIM, ERASE = "\x1b7", "\x1b8", "\x1b[0;2m", "\x1b[K"
ROOM = "\x1bD\x1b[A"  # a row below the cursor, whose column stays
WRITTEN = 2  # inotify's IN_MODIFY


def live_line() -> LiveLine | None:
    """None where nobody could see it, or it could do harm: no terminal, -q, a terminal without such rows."""
    if not printable.may_move_the_cursor():
        return None
    try:
        terminal = sys.stderr.fileno()
        return LiveLine(terminal, _Writes(os.ttyname(terminal)))
    except (OSError, ValueError, AttributeError):
        return None


class LiveLine:
    """The line of one start. terminal: a descriptor of it."""

    def __init__(self, terminal: int, writes: _Writes) -> None:
        self._terminal = terminal
        self._writes = writes
        self._size: os.terminal_size | None = None  # of the terminal, while the line is shown
        self._began = self._silent = self._drawn = 0.0
        self._parts: Path | None = None
        self._under_way: UnderWay | None = None

    @property
    def descriptors(self) -> tuple[int, ...]:
        """Readable when somebody wrote to the terminal; none while that makes no difference."""
        return (self._writes.descriptor,) if self._size else ()

    def began(self, parts: Path) -> None:
        """The program has been started; its processes write into that folder."""
        self._began = self._silent = time.monotonic()
        self._parts = parts

    def look(self) -> None:
        """Takes the line away where somebody wrote; else writes it anew where it is time."""
        now = time.monotonic()
        if self._writes.any():
            self._silent = now
            self.away()
        elif now - self._silent >= SILENCE_S and now - self._began >= FIRST_S and now - self._drawn >= EVERY_S:
            self._drawn = now
            words = self._words()
            if words and self._may_write():
                self._draw(f"firststep: {now - self._began:.0f} s: {words}")

    def _words(self) -> str:
        """What the start is doing; empty where nothing is known yet."""
        if self._under_way is None and self._parts is not None:
            from firststep.launch.under_way import UnderWay  # 10 ms, which no start waits for

            self._under_way = UnderWay(self._parts)
        return self._under_way.words() if self._under_way else ""

    def _may_write(self) -> bool:
        """Whether the terminal is this job's, and takes what is written."""
        try:
            return os.tcgetpgrp(self._terminal) == os.getpgrp() and writable_now(self._terminal)
        except OSError:
            return False

    def _draw(self, words: str) -> None:
        size = os.get_terminal_size(self._terminal)
        if size.lines < LEAST_ROWS or size.columns < LEAST_COLUMNS:
            return
        begin = SAVE
        if self._size != size:
            begin = (f"{SAVE}\x1b[r{RESTORE}" if self._size else "") + f"{ROOM}{SAVE}\x1b[1;{size.lines - 1}r"
            self._size = size
        text = printable.one_line(words)[: size.columns - 1]
        self._write(f"{begin}\x1b[{size.lines};1H{'' if printable.no_color else DIM}{text}{ERASE}{RESTORE}")

    def away(self) -> None:
        """The terminal is as it was, with the cursor where the program left it."""
        if self._size:
            rows, self._size = self._size.lines, None
            self._write(f"{SAVE}\x1b[{rows};1H{ERASE}\x1b[r{RESTORE}")

    def _write(self, text: str) -> None:
        encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
        try:
            os.write(self._terminal, text.encode(encoding, "replace"))
        except OSError:
            pass  # the terminal is gone
        self._writes.any()  # this one


class _Writes:
    """Tells whether anybody wrote to a file. Raises OSError, or AttributeError, where the kernel does not tell that."""

    def __init__(self, path: str) -> None:
        import ctypes  # only where there is a terminal

        library = ctypes.CDLL(None, use_errno=True)
        self.descriptor = library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self.descriptor < 0 or library.inotify_add_watch(self.descriptor, os.fsencode(path), WRITTEN) < 0:
            raise OSError(ctypes.get_errno(), "nobody tells who writes to the terminal")

    def any(self) -> bool:
        """Since it was asked last."""
        try:
            return bool(os.read(self.descriptor, 65536))
        except OSError:
            return False
