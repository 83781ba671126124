"""What a thread had to wait for that was nobody's doing: pages that were not there, CPU time that a quota withheld; moment by moment."""


from firststep_agent.observe import kernel_files
from firststep_agent.observe.cgroups import THROTTLED, cpu_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from firststep_agent.recorder import Recorder

UNKNOWN = -1


class Shortages:
    """Of one thread of this process: counters of the kernel, read whenever `look` is called, recorded where they have changed.

    folder: of the control group with a quota, "" for none: a forked process need not look for what its parent has found.
    """

    def __init__(self, recorder: "Recorder", thread: int, folder: "str | None" = None) -> None:
        self._recorder = recorder
        self._last: tuple[Any, ...] | None = None
        self._stat = kernel_files.opened(f"/proc/self/task/{thread}/stat")
        self.folder = cpu_folder()[0] if folder is None else folder
        self._cpu = kernel_files.opened(self.folder + "/cpu.stat") if self.folder else None

    def look(self, at: int, back: "Callable[[], None]") -> None:
        """at: the moment that is recorded. back: called after each call of the kernel."""
        stat, cpu = kernel_files.read(self._stat, back), kernel_files.read(self._cpu, back)
        found = *_faults(stat), _throttled_us(cpu)
        if found != self._last:
            self._last = found
            self._recorder.record("u", at, *found)

    def close(self) -> None:
        """Nothing is read any more."""
        for file in (self._stat, self._cpu):
            if file is not None:
                file.close()
        self._stat = self._cpu = None


def _faults(stat: bytes) -> "tuple[int, int]":
    """(pages that were in memory, pages that came from the disk)"""
    fields = stat.rpartition(b")")[2].split()
    try:
        return int(fields[7]), int(fields[9])
    except (ValueError, IndexError):
        return UNKNOWN, UNKNOWN


def _throttled_us(stat: bytes) -> int:
    for line in stat.splitlines():
        name, _, value = line.partition(b" ")
        if name in THROTTLED:
            try:
                return int(value) // THROTTLED[name]
            except ValueError:
                return UNKNOWN
    return UNKNOWN
