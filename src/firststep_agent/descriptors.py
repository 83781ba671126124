"""The files that we hold open in the program's process: few, at high numbers, and known by what they are.

A program may close any number, or open a file of its own under it (`os.closerange`, `dup2`, daemons). So whoever
writes, seeks or closes asks first whether the number still stands for our file. The low numbers are the program's: the
next file that it opens gets the one that it would get plainly.
"""

from _thread import allocate_lock, get_ident
from errno import EBADF

from firststep_agent.as_found import os
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HIGHEST = 1024  # with higher numbers the kernel's table of a process's files takes more than two pages
TRIES = 64


_in_use: "dict[int, tuple[Own, int]]" = {}  # of an Own that is open for one use, in a `with`: id -> (it, the thread)


class Own:
    """One open file of ours. `number` must not be used anywhere else."""

    __slots__ = ("_number", "identity")

    def __init__(self, number: int) -> None:
        self.identity = identity(number)
        self._number: int | None = _raised(number)

    def number(self) -> int:
        """The descriptor. Raises OSError (EBADF) where it is closed, also by another thread or the program, or its number taken."""
        return self._checked(self._number)

    def unchecked(self) -> int:
        """The descriptor for `pread` alone, which moves nothing: what it returns is checked by its reader."""
        number = self._number  # once: another thread may close it in between
        if number is None:
            raise OSError(EBADF, os.strerror(EBADF))
        return number

    def close(self) -> None:
        """Closes it, unless it is not ours any more."""
        number, self._number = self._number, None
        try:
            os.close(self._checked(number))
        except OSError as error:
            if is_theirs(error):
                raise

    def _checked(self, number: "int | None") -> int:
        if number is None or identity(number) != self.identity:
            raise OSError(EBADF, os.strerror(EBADF))
        return number

    def __enter__(self) -> "Own":
        _in_use[id(self)] = self, get_ident()
        return self

    def __exit__(self, *error: "Any") -> None:
        try:
            self.close()
        finally:
            _in_use.pop(id(self), None)


def close_others() -> None:
    """In a forked child, which has the threads' files and not the threads: closes what another thread had open for one use."""
    global _raising
    _raising = allocate_lock()
    for own, thread in list(_in_use.values()):
        if thread != get_ident():
            own.__exit__()


def open_own(path: str, flags: int, mode: int = 0o600, at: "int | None" = None) -> "Own":
    """An Own of the file. at: the descriptor of the folder that `path` is relative to. Raises OSError."""
    return Own(os.open(path, flags | os.O_CLOEXEC, mode, dir_fd=at))


def identity(number: int) -> "tuple[int, int]":
    """What tells whether a number still stands for the same file. Raises OSError where it stands for none."""
    found = os.fstat(number)
    return found.st_dev, found.st_ino


def room() -> int:
    """How many files of ours the process has room for, beside its own."""
    limit = os.sysconf("SC_OPEN_MAX")
    return 0 if 0 <= limit < HIGHEST else HIGHEST // 4


_free = [HIGHEST]  # numbers from here on are taken, as far as we know
_raising = allocate_lock()  # two threads that find the same number free would lose a file


def _raised(number: int) -> int:
    """The number under which the file is from now on: a high one, where there is one, and nobody else is looking for one."""
    lock = _raising
    if not lock.acquire(blocking=False):  # by a signal's handler, it may be this thread that is
        return number
    try:
        return _high(number)
    finally:
        lock.release()


def _high(number: int) -> int:
    limit = os.sysconf("SC_OPEN_MAX")
    top = HIGHEST if limit < 0 else min(limit, HIGHEST)
    if not top - room() < _free[0] <= top:
        _free[0] = top
    for high in range(_free[0] - 1, max(_free[0] - TRIES, number), -1):
        try:
            os.fstat(high)
        except OSError as error:
            if error.errno != EBADF:  # a signal's handler has raised it
                raise
            try:
                os.dup2(number, high, inheritable=False)
            except OSError as refused:
                if is_theirs(refused):
                    raise
                return number
            os.close(number)
            _free[0] = high
            return high
    return number
