"""Signals by the book, for as long as the tool is the program's parent (docs/decisions/009-who-gets-a-signal.md).

What is sent to the tool alone goes on to the program; what was sent to both is left alone; when the program stops, the tool
stops; when it dies of a signal, the tool dies of the same one.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

from firststep.launch.sentinel import Sentinel

# these come from a fault in the process itself; answered in Python, they would come again for ever
FAULTS = {signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL}
ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)  # whoever sends one means this process as well
CAUGHT = signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, *FAULTS}


class AskedToEnd(BaseException):
    """One of ENDS has come to a process that makes run after run. number: which."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class Signals:
    """From its making until restore(), signals to this process are the program's.

    cleared: what is to be done if this process is killed. wakes: a descriptor that is readable after any signal, SIGCHLD among
    them. asked_to_end: the first of ENDS that came, or None. On a thread other than the main one nothing is caught.
    """

    def __init__(self, cleared: Callable[[], None]) -> None:
        self._program = 0
        self._early: list[int] = []
        self.asked_to_end: int | None = None
        self._old: dict[int, Any] = {}
        self._sentinel: Sentinel | None = None
        self.catching = threading.current_thread() is threading.main_thread()
        self.wakes, self._wake = os.pipe()
        for end in (self.wakes, self._wake):
            os.set_blocking(end, False)
        if self.catching:
            try:
                self._sentinel = Sentinel(cleared)
            except OSError:
                pass  # no process to be had: what goes to the group then arrives twice
            self._wake_before = signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
            ignored = {number for number in CAUGHT if signal.getsignal(number) == signal.SIG_IGN}
            for number in CAUGHT - ignored | {signal.SIGCHLD}:
                self._catch(number)
            self._late = ignored - {signal.SIGCHLD}

    def _catch(self, number: int) -> None:
        before = signal.signal(number, self._arrived)
        self._old.setdefault(number, signal.SIG_DFL if before is None else before)  # None: not Python's, and nobody's here

    def reach(self, program: int) -> None:
        """The program has begun: from now on they go to it, those that came before first.

        Ignored signals are caught only now: the program had to find them ignored, and may have given them a meaning since.
        """
        self._program = program
        if not self.catching:
            return
        if self._sentinel:
            self._sentinel.program_is(program)
        for number in self._late:
            self._catch(number)
        for early in self._early:
            self.send(early)

    def _arrived(self, number: int, frame: FrameType | None) -> None:
        if number == signal.SIGCHLD:
            return
        if number in ENDS and self.asked_to_end is None:
            self.asked_to_end = number
        if not self._program:
            self._early.append(number)
        elif not (self._sentinel and self._sentinel.saw(number)):
            self.send(number)

    def send(self, number: int) -> None:
        """To the program; one that has ended, or belongs to another user by now, does not get it."""
        try:
            os.kill(self._program, number)
        except OSError:
            pass

    def ended(self) -> None:
        """The program is gone: its number may soon be another's."""
        self._program = 0
        self._early.clear()

    def drain(self) -> None:
        """Empties `wakes`."""
        try:
            os.read(self.wakes, 4096)
        except BlockingIOError:
            pass

    def stop_as(self, number: int) -> None:
        """The program was stopped by `number`: so is this process, until somebody continues both."""
        handler: Any = signal.SIG_DFL
        if number != signal.SIGSTOP and self.catching:
            handler = signal.signal(number, signal.SIG_DFL)
        if self._sentinel:
            self._sentinel.stops_with_program()
        os.kill(os.getpid(), number)
        if self._sentinel:
            self._sentinel.goes_on()
        if handler is not signal.SIG_DFL:
            signal.signal(number, handler)

    def restore(self) -> None:
        """This process is its own again."""
        if self.catching:
            signal.set_wakeup_fd(self._wake_before)
        for number, handler in self._old.items():
            signal.signal(number, handler)
        self._old.clear()
        if self._sentinel:
            self._sentinel.leave()
            self._sentinel = None
        os.close(self.wakes)
        os.close(self._wake)


def end_when_asked() -> None:
    """From now on SIGTERM and SIGHUP raise AskedToEnd, as SIGINT raises KeyboardInterrupt: what is to be taken away is."""
    def ask(number: int, frame: FrameType | None) -> None:
        raise AskedToEnd(number)

    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, ask)


def die_of(number: int) -> None:
    """Ends this process as the program ended, so that a shell's loop stops where it would have stopped; one dump of memory is enough.

    Returns where that is not possible: a process that is init does not die of its own signals.
    """
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
    os.kill(os.getpid(), number)
