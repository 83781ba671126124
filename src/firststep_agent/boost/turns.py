"""Who reads what the cache knows of an entry, and writes it changed, does so while nobody else does.

The lock is the kernel's, on the mark of the cache: it goes with who holds it, however that ends. A file system that has none, and who
holds it for long (a process that was stopped in between), keep nobody waiting: what another writes meanwhile may then be lost.
"""

from _thread import RLock

from firststep_agent.as_found import os, time
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from firststep_agent.descriptors import Own

_LONGEST_S = 1.0
_ASKED_EVERY_S = 0.002
_threads = RLock()  # those of this process, for which the kernel's lock is one; a signal's handler may come in between


class Turn:
    """`with Turn(open_mark):` one at a time. open_mark(): an Own of the file that is locked; raises OSError."""

    def __init__(self, open_mark: "Callable[[], Own]") -> None:
        self._open_mark = open_mark
        self._has_thread = False
        self._mark: Own | None = None

    def __enter__(self) -> None:
        self._has_thread = _threads.acquire(timeout=_LONGEST_S)
        try:
            self._mark = self._open_mark()
            _lock(self._mark)
        except OSError as error:  # also where the disk is read-only: nothing will be written
            if is_theirs(error):
                self._end()
                raise
        except BaseException:
            self._end()
            raise

    def __exit__(self, *error: "Any") -> None:
        self._end()

    def _end(self) -> None:
        try:
            if self._mark is not None:
                self._mark.close()
        finally:
            if self._has_thread:
                _threads.release()


def _lock(mark: "Own") -> None:
    """Raises OSError where there are no locks."""
    until = time.monotonic() + _LONGEST_S
    while True:
        try:
            os.lockf(mark.number(), os.F_TLOCK, 0)
            return
        except (BlockingIOError, PermissionError) as error:  # somebody else has it
            if is_theirs(error):
                raise
            if time.monotonic() > until:
                return
        time.sleep(_ASKED_EVERY_S)
