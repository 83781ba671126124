"""A terminal in which a command runs, for tests of what stands on its screen."""

import fcntl
import os
import pty
import re
import select
import struct
import termios
import time

import pytest

pyte = pytest.importorskip("pyte", reason="what stands on a terminal: pyte is not installed")
ROWS, COLUMNS = 12, 70
PATIENCE = 300
SHOWN = re.compile(r"firststep: \d+ s: .")


class Terminal:
    """A terminal of ROWS rows in which a command runs, and what stands on its screen."""

    def __init__(self, command, folder, **environment):
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self.screen)
        self.written = b""
        self.pid, self._end = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, {**os.environ, "TERM": "xterm", **environment})
        fcntl.ioctl(self._end, termios.TIOCSWINSZ, struct.pack("4H", ROWS, COLUMNS, 0, 0))
        modes = termios.tcgetattr(self._end)
        modes[3] &= ~termios.ECHO
        termios.tcsetattr(self._end, termios.TCSANOW, modes)

    def until(self, reached):
        """Waits until reached(self) is true of what stands there, or the command has ended; whether it was."""
        deadline = time.monotonic() + PATIENCE
        while not reached(self) and time.monotonic() < deadline:
            if select.select([self._end], [], [], 0.1)[0] and not self._read():
                break
        return reached(self)

    def _read(self):
        try:
            data = os.read(self._end, 65536)
        except OSError:
            return False
        self.written += data
        self._stream.feed(data)
        return bool(data)

    def type(self, text):
        os.write(self._end, text)

    def ended(self):
        """The exit code."""
        self.until(lambda _: False) if self._read() else None
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    @property
    def lines(self):
        return [line.rstrip() for line in self.screen.display]

    @property
    def shown(self):
        return bool(SHOWN.match(self.lines[-1]))

    @property
    def whole(self):
        """Whether everything scrolls, to the last row."""
        return self.screen.margins is None or self.screen.margins == (0, ROWS - 1)
