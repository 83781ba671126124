"""A trace has as much of the stack as plainly: Python's recursion limit is raised, while it runs, by the frames of ours below it.

Without that, a trace that recurses nearly as deep as the limit allows fails only with firststep, and one that recurses without end
tells another number of repeated lines.
"""

import sys
import threading

from firststep_agent.dressing import is_ours, stand_in_c

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_limit = sys.getrecursionlimit

class StackRoom:
    """Context managers, as many at once as there are traces. What the program sets meanwhile stays."""

    def __init__(self) -> None:
        self._given: list[int] = []
        self._plain = self._set = 0
        self._told = self._tells()
        self.after_fork()

    def after_fork(self) -> None:
        self._lock = threading.Lock()

    def __call__(self, gone: int = 0) -> "_OneTrace":
        """gone: how many frames of ours that stand there now do not while the trace runs."""
        return _OneTrace(self, gone)

    def give(self, frames: int) -> None:
        """Room for `frames` more than the program's own limit allows."""
        with self._lock:
            now = _limit()
            if now != self._set:  # the program's own
                self._plain = now
            if not self._given:
                sys.getrecursionlimit = self._told
            self._given.append(frames)
            self._apply()

    def take(self, frames: int) -> None:
        with self._lock:
            self._given.remove(frames)
            if not self._given and sys.getrecursionlimit is self._told:
                sys.getrecursionlimit = _limit
            if _limit() == self._set:
                self._apply()

    def _tells(self) -> "Callable[[], int]":
        """What stands for Python's function while there is more room than the program has asked for."""
        def getrecursionlimit():
            now = _limit()
            return self._plain if self._given and now == self._set else now

        return stand_in_c(_limit, getrecursionlimit)  # type: ignore[no-any-return]

    def _apply(self) -> None:
        wanted = self._plain + max(self._given, default=0)
        try:
            sys.setrecursionlimit(wanted)
        except RecursionError:  # this deep it cannot be lowered: it is by the next trace
            wanted = _limit()
        self._set = wanted


class _OneTrace:
    __slots__ = ("_frames", "_gone", "_room")

    def __init__(self, room: "StackRoom", gone: int) -> None:
        self._room = room
        self._gone = gone
        self._frames = 0

    def __enter__(self) -> None:
        self._frames = _ours() - self._gone
        self._room.give(self._frames)

    def __exit__(self, *error: "Any") -> None:
        self._room.take(self._frames)


def _ours() -> int:
    """How many frames of ours the caller's caller stands upon, its own among them."""
    found, frame = 0, sys._getframe(2)
    while frame is not None:
        found += is_ours(frame)
        frame = frame.f_back  # type: ignore[assignment]
    return found
