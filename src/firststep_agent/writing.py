"""Writing of ours that kills nobody.

A file that may not grow (`ulimit -f`) and a pipe that nobody reads are an error of the call where their signals are ignored, as
Python has them from its start. A program may have given them their deadly meaning back.
"""

from _signal import (  # type: ignore[import-not-found]
    SIG_BLOCK,
    SIG_IGN,
    SIG_SETMASK,
    SIGPIPE,
    SIGXFSZ,
    getsignal,
    pthread_sigmask,
    sigpending,
    sigtimedwait,
)

from firststep_agent.as_found import os

DEADLY = {SIGPIPE, SIGXFSZ}


def write_all(number: int, data: "bytes | memoryview") -> None:
    """All of `data`, bytes or a memoryview. Raises OSError."""
    if all(getsignal(each) == SIG_IGN for each in DEADLY):
        _write(number, data)
        return
    mask = pthread_sigmask(SIG_BLOCK, ())
    try:
        pthread_sigmask(SIG_BLOCK, DEADLY)
        theirs = sigpending()
        try:
            _write(number, data)
        except OSError:
            for ours in DEADLY - theirs:
                sigtimedwait({ours}, 0)
            raise
    finally:
        pthread_sigmask(SIG_SETMASK, mask)


def _write(number: int, data: "bytes | memoryview") -> None:
    while data:
        data = data[os.write(number, data):]
