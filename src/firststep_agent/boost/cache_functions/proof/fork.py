"""A fork that the program cannot tell: none of its fork handlers runs, no child of its own appears, no signal comes.

`os.fork` would run what was registered for forks, and from Python 3.12 on warn of threads. Here the C library's own fork is
called with the interpreter's lock held, and in the child, before any bytecode, what Python itself needs to go on there.
The child's parent is a process that has ended, so that the program's `wait` never meets it. Nor does it meet that one: where other
threads of the program's run, none of them gets the interpreter's lock until it has been waited for.
"""

import ctypes
import functools
import itertools
import operator
from _imp import acquire_lock, release_lock

from firststep_agent.as_found import os
from firststep_agent.forks import leave
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

_GET_CHILD_SUBREAPER = 37
_NAMESPACES, _OF_CHILDREN = "/proc/self/ns", "pid_for_children"
_WAIT_S = 5.0  # for the process between, which forks once and ends

_TICK_US = 200  # of that wait, where no other thread may run meanwhile
_NOBODY = 0x7FFFFFFF  # no process has this number

_call = operator.methodcaller("__call__")


class Between:
    """The process between the program and a child that is nobody's child, until it has ended. It is there before the process is, and
    whoever makes it calls it, whatever happens: what a signal's handler raises comes anywhere after the fork.

    told: [the process's number], once there is one; ended: what it has ended with, -1 where nobody has waited for it.
    """

    def __init__(self) -> None:
        self.told: list[int] = []
        self.ended = ctypes.c_int(-1)

    def fork(self, registered: "list[Any]", at_once: bool = False, first: "Callable[[], object]" = bool) -> bool:
        """True in a child that is nobody's child; False in the program.

        registered: the interpreter's list of what runs in forked children. at_once: no other thread runs Python until the process between
        has ended: it could wait for any child. first(): what the process between does before it forks. Raises OSError.
        """
        if _fork(registered, self.told, self.ended if at_once else None):
            return False
        try:
            first()
            if _fork(registered, []):
                leave(0)
        except BaseException:
            leave(1)
        return True

    def __call__(self) -> bool:
        """Waits for it, which has ended by now. False where it did not fork."""
        from firststep_agent.as_found import time

        if not self.told or self.told[0] < 0:
            return False
        if self.told[0] == _NOBODY:  # it is this process, which has nothing to go on with
            leave(1)
        if self.ended.value >= 0:
            return self.ended.value == 0
        end = time.monotonic() + _WAIT_S
        while time.monotonic() < end:
            try:
                found, status = os.waitpid(self.told[0], os.WNOHANG)
            except ChildProcessError:  # SIGCHLD is ignored: the kernel has taken it
                return True
            if found:
                return status == 0
            time.sleep(0.0005)
        os.kill(self.told[0], 9)
        os.waitpid(self.told[0], 0)
        return False


def takes_orphans() -> bool:
    """Whether this process is given those whose parents have ended, as a supervisor asks of the kernel: `wait` would meet the child."""
    asked = ctypes.c_int()
    ctypes.CDLL(None).prctl(_GET_CHILD_SUBREAPER, ctypes.byref(asked), 0, 0, 0)
    return bool(asked.value)


def names_processes_anew() -> bool:
    """Whether the next child is the first process of a namespace of its own, as `unshare` asks for: once it has ended there is no other."""
    try:
        if _OF_CHILDREN not in os.listdir(_NAMESPACES):
            return False
        return os.readlink(_NAMESPACES + "/pid") != os.readlink(f"{_NAMESPACES}/{_OF_CHILDREN}")
    except OSError as error:  # of one that has no process yet the kernel tells nothing
        if is_theirs(error):
            raise
        return True


def child(registered: "list[Any]") -> int:
    """0 in the child, its number in the caller, which has to wait for it. Raises OSError."""
    return _fork(registered, [])


def has_ended(pid: int) -> bool:
    """Of a child, also of one that was waited for."""
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True


def wait(pid: int) -> None:
    """Until a child has ended."""
    try:
        os.waitpid(pid, 0)
    except ChildProcessError:  # the program ignores SIGCHLD: the kernel has taken it
        pass


def _fork(registered: "list[Any]", told: "list[int]", ended: "ctypes.c_int | None" = None) -> int:
    """told: takes the child's number, as soon as there is one. ended: where the caller waits for the child at once, which takes what it
    ends with; for some seconds at most."""
    library = ctypes.PyDLL(None, use_errno=True)
    begin, reinitialise = library.fork, ctypes.pythonapi.PyOS_AfterFork_Child
    begin.restype, begin.argtypes = ctypes.c_int, ()
    reinitialise.restype, reinitialise.argtypes = None, ()
    # The number is the parent's, at once, and the child's when it is Python's again, with no bytecode in between: the interpreter might
    # hand its lock to a thread that is not there, or to one that waits for any child. Nor is there any before the lock for imports is let
    # go: a signal's handler might raise in between. It is taken as `os.fork` does: the child lets go of it, and Python 3.13 ends one that
    # does not hold it.
    numbers = filter(None, map(_call, (acquire_lock, begin, reinitialise, functools.partial(int, _NOBODY))))
    noted, waited, last = itertools.tee(itertools.islice(numbers, 1), 3)
    waits = () if ended is None else itertools.takewhile(operator.not_, _waits(library, waited, ended))
    lets_go = map(_call, map({_NOBODY: int}.get, last, itertools.repeat(release_lock)))
    kept = registered[:]
    try:
        registered[:] = [each for each in kept if _is_pythons(each)]
        any(itertools.chain(map(told.append, noted), waits, lets_go))  # what a handler raises comes when it is done
    finally:
        registered[:] = kept
    number = told[0]
    if number < 0:
        raise OSError(ctypes.get_errno(), "fork")
    return 0 if number == _NOBODY else number


def _waits(library: "Any", numbers: "Iterator[int]", ended: "ctypes.c_int") -> "Iterator[int]":
    """Asks whether the process of the first number has ended, and sleeps, until something comes of it; all in C."""
    wait, sleep = library.waitpid, library.usleep
    one = map(operator.and_, numbers, (_NOBODY,))  # who could not fork waits for nobody, and not for any child
    each = itertools.chain.from_iterable(map(itertools.repeat, one, (int(_WAIT_S * 1e6 / _TICK_US),)))
    asked = map(wait, each, itertools.repeat(ctypes.byref(ended)), itertools.repeat(os.WNOHANG))
    slept = map(operator.and_, map(sleep, itertools.repeat(_TICK_US)), itertools.repeat(0))
    return map(operator.or_, asked, slept)


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
