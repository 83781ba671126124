"""What is ours to do once the program is ready, and what it need not wait for: done beside it, a little at a time.

A thread of ours takes Python's lock for a moment and leaves it for a longer one, so that no step of the program waits for it. Whatever
must come after all of this (a fork, what stands in a framework's place again, the end) has it completed first, on its own thread.
"""

from _thread import allocate_lock, get_ident
from time import sleep

from firststep_agent.signals import is_theirs
from firststep_agent.threads import start_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

PAUSE_S = 0.0005  # after each piece, which is to take less
MOST_PAUSES = 100  # for the thread to end, which a child that C code has forked does not have


def pieces(items: "list[Any]", size: int) -> "Iterator[list[Any]]":
    """Of a list, for works that do one at a time."""
    return (items[start:start + size] for start in range(0, len(items), size))


class Beside:
    """The works of one run, each an iterator that does a piece of its work whenever it is asked for the next.

    failed(error): notes an error of a work, which ends with it.
    """

    def __init__(self, failed: "Callable[[BaseException], object]") -> None:
        self._failed = failed
        self._works: list[Iterator[object]] = []
        self._lock = allocate_lock()
        self._worker: int | None = None  # the thread that does a piece
        self._is_there = False  # the thread of ours, which will look again

    def add(self, work: "Iterator[object]") -> None:
        """One more, after the others."""
        self._works.append(work)

    def begin(self) -> None:
        """They go on beside the program; at once where there is no thread to be had."""
        if self._worker == get_ident():
            return  # a signal's handler, in the middle of a piece: whoever does that goes on with these
        with self._lock:
            if self._is_there or not self._works:
                return
            self._is_there = True
        try:
            start_thread(self._go_on)
        except RuntimeError as error:
            self._is_there = False
            if is_theirs(error):
                raise
            self.complete()

    def _go_on(self) -> None:
        while True:
            with self._lock:
                self._piece()
                goes_on = self._is_there = bool(self._works)
            if not goes_on:
                return
            sleep(PAUSE_S)

    def complete(self) -> None:
        """Nothing is left of them when this returns, nor the thread."""
        if self._worker == get_ident():
            return
        while self._works:
            with self._lock:
                self._piece()
        for _ in range(MOST_PAUSES):
            if not self._is_there:
                break
            sleep(PAUSE_S)

    def _piece(self) -> None:
        work = next(iter(self._works), None)
        if work is None:
            return
        self._worker = get_ident()
        try:
            next(work)
            return
        except StopIteration:
            pass
        except BaseException as error:
            if is_theirs(error):
                raise
            self._failed(error)
        finally:
            self._worker = None
        self._works.remove(work)

    def after_fork(self) -> None:
        """They are the parent's."""
        self._works, self._lock, self._worker, self._is_there = [], allocate_lock(), None, False
