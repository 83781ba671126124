"""Threads of ours: no signal that is sent to the process is theirs.

The kernel gives such a signal to any thread that does not block it. A program that blocks one in all of its threads, to wait for
it, would be killed by it, or interrupted elsewhere, if a thread of ours took it.
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


def start_thread(function: "Callable[..., object]", *arguments: "Any") -> None:
    """As start_new_thread; the new thread takes no signal."""
    mine = pthread_sigmask(SIG_BLOCK, ())
    try:
        pthread_sigmask(SIG_BLOCK, set(valid_signals()) - FAULTS)  # a new thread has the mask of the one that makes it
        start_new_thread(function, arguments)
    finally:
        pthread_sigmask(SIG_SETMASK, mine)
