"""Files in which the kernel counts: kept open, and read again and again."""

from firststep_agent.as_found import open, os
from firststep_agent.descriptors import open_own
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firststep_agent.descriptors import Own

LONGEST = 2000  # bytes of such a file that are read


def scheduled(task: str) -> "tuple[int, int]":
    """(ns that a thread has had a CPU, ns that it has been ready to run without one), by its place in /proc; 0 where it has ended, or the
    kernel does not say."""
    try:
        with open(f"/proc/{task}/schedstat", "rb") as file:
            ran, runnable = file.read().split()[:2]
            return int(ran), int(runnable)
    except (OSError, ValueError) as error:
        if is_theirs(error):
            raise
        return 0, 0


def opened(path: str) -> "Own | None":
    """None where it cannot be had."""
    try:
        return open_own(path, os.O_RDONLY)
    except OSError as error:
        if is_theirs(error):
            raise
        return None


def read(file: "Own | None", back: "Callable[[], None]") -> bytes:
    """What it says now; nothing where it is not there, or the program has closed it. back: called after each call of the kernel."""
    if file is None:
        return b""
    try:
        number = file.number()
        back()
        said = os.pread(number, LONGEST, 0)
    except OSError as error:
        if is_theirs(error):
            raise
        said = b""
    back()
    return said
