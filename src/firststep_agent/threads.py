"""Threads of ours: no signal that is sent to the process is theirs, and no error of theirs is the program's.

The kernel gives such a signal to any thread that does not block it. A program that blocks one in all of its threads, to wait for
it, would be killed by it, or interrupted elsewhere, if a thread of ours took it. What comes out of a thread, Python writes into the
program's output: nothing does.
"""

from _signal import (  # type: ignore[import-not-found]
    SIG_BLOCK,
    SIG_SETMASK,
    SIGBUS,
    SIGFPE,
    SIGILL,
    SIGSEGV,
    pthread_sigmask,
    valid_signals,
)
from _thread import start_new_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

FAULTS = {SIGSEGV, SIGBUS, SIGFPE, SIGILL}  # come from the thread itself, and kill when they are blocked


_told: "list[Callable[[str, BaseException, object], object]]" = []  # the one to whom errors are told, once there is one


def tell_errors_to(failed: "Callable[[str, BaseException, object], object]") -> None:
    """failed(where, error, function): called with what a thread's function raised."""
    _told[:] = [failed]


def start_thread(function: "Callable[..., object]", *arguments: "Any") -> None:
    """As start_new_thread; the new thread takes no signal, and is silent about what the function raises. Raises RuntimeError."""
    mine = pthread_sigmask(SIG_BLOCK, ())
    try:
        pthread_sigmask(SIG_BLOCK, set(valid_signals()) - FAULTS)  # a new thread has the mask of the one that makes it
        start_new_thread(_contained, (function, arguments))
    finally:
        pthread_sigmask(SIG_SETMASK, mine)


def _contained(function: "Callable[..., object]", arguments: "tuple[Any, ...]") -> None:
    try:
        function(*arguments)
    except BaseException as error:
        for failed in _told:
            failed("thread", error, function)
