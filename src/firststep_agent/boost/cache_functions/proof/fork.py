"""A fork that the program cannot tell: none of its fork handlers runs, no child of its own appears, no signal comes.

`os.fork` would run what was registered for forks, and from Python 3.12 on warn of threads. Here the C library's own fork is
called with the interpreter's lock held, and in the child, before any bytecode, what Python itself needs to go on there.
The child's parent is a process that has ended, so that the program's `wait` never meets it.
"""

import ctypes
import itertools
import operator
import os
from _imp import acquire_lock, release_lock

from firststep_agent.forks import leave

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

_GET_CHILD_SUBREAPER = 37
_WAIT_S = 5.0  # for the process between, which forks once and ends

_call = operator.methodcaller("__call__")


def detached(registered: "list[Any]") -> "Literal[0] | _LetGo":
    """0 in a child that is nobody's child; in the program a function that is True once the child has been let go.

    registered: the interpreter's list of what runs in forked children. Raises OSError.
    """
    pid = _fork(registered)
    if pid:
        return _LetGo(pid)
    try:
        if _fork(registered):
            leave(0)
    except BaseException:
        leave(1)
    return 0


class _LetGo:
    """The process between, until it has ended."""

    def __init__(self, pid: int) -> None:
        self._pid = pid

    def __call__(self) -> bool:
        """Waits for it, which has ended by now. False where it did not fork."""
        import time

        end = time.monotonic() + _WAIT_S
        while time.monotonic() < end:
            try:
                found, status = os.waitpid(self._pid, os.WNOHANG)
            except ChildProcessError:  # SIGCHLD is ignored: the kernel has taken it
                return True
            if found:
                return status == 0
            time.sleep(0.0005)
        os.kill(self._pid, 9)
        os.waitpid(self._pid, 0)
        return False


def takes_orphans() -> bool:
    """Whether this process is given those whose parents have ended, as a supervisor asks of the kernel: `wait` would meet the child."""
    asked = ctypes.c_int()
    ctypes.CDLL(None).prctl(_GET_CHILD_SUBREAPER, ctypes.byref(asked), 0, 0, 0)
    return bool(asked.value)


def child(registered: "list[Any]") -> int:
    """0 in the child, its number in the caller, which has to wait for it. Raises OSError."""
    return _fork(registered)


def _fork(registered: "list[Any]") -> int:
    library = ctypes.PyDLL(None, use_errno=True)
    begin, reinitialise = library.fork, ctypes.pythonapi.PyOS_AfterFork_Child
    begin.restype, begin.argtypes = ctypes.c_int, ()
    reinitialise.restype, reinitialise.argtypes = None, ()
    kept = registered[:]
    registered[:] = [each for each in kept if _is_pythons(each)]
    # `any` stops in the parent, at a number that is not 0, and goes on in the child, with no bytecode in between: the
    # interpreter might hand its lock to a thread that is not there.
    results, again = itertools.tee(map(_call, (begin, reinitialise)))
    is_parent = True
    acquire_lock()  # as `os.fork` does: the child lets go of it, and Python 3.13 ends one that does not hold it
    try:
        is_parent = any(results)
    finally:
        if is_parent:
            release_lock()
        registered[:] = kept
    pid: int = next(again)
    if is_parent and pid < 0:
        raise OSError(ctypes.get_errno(), "fork")
    return pid


def _is_pythons(handler: "Any") -> bool:
    """Whether it is the standard library's, and keeps locks whole. `random` would draw another seed."""
    module = getattr(handler, "__module__", None)
    return module in ("threading", "logging", "concurrent.futures.thread", "weakref")


def foreign(registered: "list[Any]", run: "Any") -> "Any":
    """The first of the registered functions that is neither a library's nor the agent's (`run`'s), or None."""
    from firststep_agent import ownership

    for handler in registered:
        if getattr(handler, "__self__", None) is not run and ownership.is_programs(getattr(handler, "__module__", None)):
            return handler
    return None
