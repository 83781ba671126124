"""What a thread had to wait for that was nobody's doing: pages that were not there, CPU time that a quota withheld; moment by moment."""

import os

from firststep_agent.descriptors import open_own
from firststep_agent.observe.cgroups import THROTTLED, cpu_folder
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from firststep_agent.descriptors import Own
    from firststep_agent.recorder import Recorder

UNKNOWN = -1


class Shortages:
    """Of one thread of this process: counters of the kernel, read whenever `look` is called, recorded where they have changed.

    folder: of the control group with a quota, "" for none: a forked process need not look for what its parent has found.
    """

    def __init__(self, recorder: "Recorder", thread: int, folder: "str | None" = None) -> None:
        self._recorder = recorder
        self._last: tuple[Any, ...] | None = None
        self._stat = _opened(f"/proc/self/task/{thread}/stat")
        self.folder = cpu_folder()[0] if folder is None else folder
        self._cpu = _opened(self.folder + "/cpu.stat") if self.folder else None

    def look(self, at: int) -> None:
        """at: the moment that is recorded."""
        found = *_told(self._stat, _faults, (UNKNOWN, UNKNOWN)), _told(self._cpu, _throttled_us, UNKNOWN)
        if found != self._last:
            self._last = found
            self._recorder.record("u", at, *found)

    def close(self) -> None:
        """Nothing is read any more."""
        for file in (self._stat, self._cpu):
            if file is not None:
                file.close()
        self._stat = self._cpu = None


def _told(file: "Own | None", read: "Callable[[bytes], Any]", unknown: "Any") -> "Any":
    """What `read` makes of the file now; `unknown` where it is not there, or the program has closed it."""
    try:
        return unknown if file is None else read(os.pread(file.number(), 2000, 0))
    except (OSError, ValueError, IndexError) as error:
        if is_theirs(error):
            raise
        return unknown


def _faults(stat: bytes) -> "tuple[int, int]":
    """(pages that were in memory, pages that came from the disk)"""
    fields = stat.rpartition(b")")[2].split()
    return int(fields[7]), int(fields[9])


def _throttled_us(stat: bytes) -> int:
    for line in stat.splitlines():
        name, _, value = line.partition(b" ")
        if name in THROTTLED:
            return int(value) // THROTTLED[name]
    return UNKNOWN


def _opened(path: str) -> "Own | None":
    try:
        return open_own(path, os.O_RDONLY)
    except OSError as error:
        if is_theirs(error):
            raise
        return None
