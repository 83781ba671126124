"""A process in the tool's process group that receives what the group receives, and does what the tool no longer can.

`kill PID` and `kill -- -GROUP` look alike to who is hit. Every signal is blocked in the sentinel, so one that was sent to the
whole group stays pending there: the kernel shows it, and the tool knows that the program has it as well. It also sees the tool
stopped or killed, neither of which a process can answer itself: the program is stopped, or ends, as it would have without the
tool; and what the tool left in the temporary folder goes.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

from firststep.launch.readable import readable

LOOK_S = 0.25  # how soon a stopped tool is seen
ANSWER_S = 2.0
FORGET, LEAVE, STOPS, GOES_ON, PROGRAM = b"f", b"q", b"s", b"r", b"p"  # words, each on a line


class Sentinel:
    """Forks it. Raises OSError where no process can be had. cleared: called by it if the tool is killed."""

    def __init__(self, cleared: Callable[[], None]) -> None:
        hear, self._ask = os.pipe()
        self._answers, answer = os.pipe()
        tool = os.getpid()
        old = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            self._pid = os.fork()
            if self._pid == 0:
                try:
                    close_all_but(hear, answer)
                    _watch(tool, hear, answer, cleared)
                finally:
                    os._exit(0)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, old)
        os.close(hear)
        os.close(answer)

    def program_is(self, pid: int) -> None:
        """The program has begun."""
        self._say(PROGRAM + b"%d" % pid)

    def stops_with_program(self) -> None:
        """The tool is about to stop because the program was stopped; it is continued when that is, whoever continues it."""
        self._say(STOPS)

    def goes_on(self) -> None:
        """It was continued."""
        self._say(GOES_ON)

    def saw(self, number: int) -> bool:
        """Whether the signal went to the whole group; asked once for each that came."""
        if not pending(self._pid) >> (number - 1) & 1:
            return False
        self._say(FORGET)
        if readable((self._answers,), ANSWER_S):
            os.read(self._answers, 1)
        return True

    def leave(self) -> None:
        """It is not needed any more."""
        self._say(LEAVE)
        os.close(self._ask)
        os.close(self._answers)
        try:
            os.waitpid(self._pid, 0)
        except ChildProcessError:
            pass

    def _say(self, words: bytes) -> None:
        try:
            os.write(self._ask, words + b"\n")
        except OSError:
            pass  # somebody has killed it


def pending(pid: int) -> int:
    """The mask of signals that wait for the whole process `pid`; 0 where that cannot be told."""
    try:
        with open(f"/proc/{pid}/status", "rb") as file:
            return next((int(line.split()[1], 16) for line in file if line.startswith(b"ShdPnd:")), 0)
    except OSError:
        return 0


def state(pid: int) -> str:
    """The kernel's letter for a process: T where it is stopped; empty where that cannot be told."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0].decode()
    except (OSError, IndexError):
        return ""


def close_all_but(*kept: int) -> None:
    """Closes every other descriptor: a copy of a pipe's end, held elsewhere, would keep its reader or writer waiting."""
    try:
        names = os.listdir("/proc/self/fd")
    except OSError:
        names = [str(number) for number in range(256)]
    for name in names:
        if int(name) not in kept:
            try:
                os.close(int(name))
            except OSError:
                pass


def _watch(tool: int, hear: int, answer: int, cleared: Callable[[], None]) -> None:
    stops = _Stops(tool)
    while True:
        heard = os.read(hear, 4096) if readable((hear,), LOOK_S) else None
        if heard == b"":  # the tool is gone, and took no leave
            if stops.program:
                _send(stops.program, signal.SIGKILL)
            cleared()
            return
        for word in (heard or b"").split():
            if word == LEAVE:
                return
            if word == FORGET:
                while signal.sigtimedwait(signal.valid_signals(), 0):
                    pass
                os.write(answer, b".")
            elif word in (STOPS, GOES_ON):
                stops.together = word == STOPS
            else:
                stops.program = int(word.removeprefix(PROGRAM))
        if heard is None and stops.program:
            stops.look()


class _Stops:
    """Keeps the tool and the program stopped together: whoever stops or continues one of them means both."""

    def __init__(self, tool: int) -> None:
        self._tool = tool
        self.program = 0
        self.together = False  # the tool stops because the program was stopped
        self._goes_alone = False  # the last look found the tool stopped, and the program no longer

    def look(self) -> None:
        if state(self._tool) != "T":
            self._goes_alone = False
            return
        its = state(self.program)
        if its == "T":
            self.together, self._goes_alone = True, False
        elif self.together or its in ("Z", ""):
            if self._goes_alone:  # for longer than it takes to continue one after the other
                self._continue_tool()
            self._goes_alone = not pending(self.program) >> (signal.SIGSTOP - 1) & 1
        else:
            _send(self.program, signal.SIGSTOP)
            self.together = True

    def _continue_tool(self) -> None:
        """The program must not get that signal as well: as what the group received, it is pending here."""
        _send(os.getpid(), signal.SIGCONT)
        _send(self._tool, signal.SIGCONT)
        self.together = False


def _send(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except OSError:
        pass
