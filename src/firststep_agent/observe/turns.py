"""Lets the sampler have Python's lock at once, where no other thread of the program's waits for it.

Who waits for the lock gets it when its holder lets go: at a call of the kernel, or when it is asked to, which is after the interpreter's
switch interval, 5 ms. A loop that reads a block each millisecond and works on it in Python would be seen reading in every sample. The
interval is what the thread that waits goes by, so that a short one changes nothing for a program of one thread.
"""

import sys

SHORT = 0.000125  # seconds; while a function in C keeps the lock, who waits wakes so often, at some 4 us of CPU each time
_ALONE = 2  # threads that run Python: the main one and the sampler

_get, _set = sys.getswitchinterval, sys.setswitchinterval


class Turns:
    """The interpreter's switch interval: short while the sampler sleeps, and the program has one thread; the program's own otherwise."""

    def __init__(self) -> None:
        self._programs = self._short = _get()

    def shorten(self) -> None:
        """Before the sampler sleeps."""
        self._programs = _get()
        if len(sys._current_frames()) <= _ALONE:
            _set(SHORT)
            self._short = _get()  # Python rounds it

    def end(self) -> None:
        """When it is awake: the main thread, which waits for the lock now, is not to ask for it in the middle of a sample."""
        if _get() == self._short:
            _set(self._programs)
