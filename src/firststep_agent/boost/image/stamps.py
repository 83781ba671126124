"""What tells a file or a directory from any other version of itself, and when that can be relied upon."""

from firststep_agent.as_found import os, time
from firststep_agent.boost.store import digest
from firststep_agent.descriptors import open_own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FINE = 100_000_000  # ns after which a change must show in a file system that keeps fractions of a second
COARSE = 3_000_000_000  # the same in one that keeps whole seconds


def stamp(found: "os.stat_result") -> "tuple[int, int, int, int]":
    """The identity of a version of a file, from its os.stat_result. The change time cannot be set by a program."""
    return (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)


def tells(found: "os.stat_result") -> bool:
    """Whether the change time is one that the kernel has noted: images are built with fixed ones, of whole seconds."""
    return found.st_ctime_ns % 1_000_000_000 != 0


def stamp_with_content(path: str, found: "os.stat_result") -> "tuple[Any, ...]":
    """The stamp of a file, with a digest of what is in it where its times say nothing. Raises OSError."""
    return stamp(found) if tells(found) else (*stamp(found), _digest(path, found.st_size))


def is_same_content(path: str, found: "os.stat_result", known: "tuple[Any, ...]") -> bool:
    """Whether a file whose times say nothing is the one that `known`, its stamp with content, was made of. Raises OSError."""
    return not tells(found) and stamp(found) == known[:-1] and _digest(path, found.st_size) == known[-1]


def _digest(path: str, size: int) -> bytes:
    """Of the file's content, of about that many bytes."""
    with open_own(path, os.O_RDONLY | os.O_NONBLOCK) as file:
        return digest(os.pread(file.number(), size + 1, 0))  # the memory that is asked for is given at once


def directory_stamp(found: "os.stat_result") -> "tuple[int, int, int]":
    """The same of a directory: any entry that is added, removed or renamed changes it."""
    return (found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def settled(found: "os.stat_result", since: int) -> bool:
    """True where nothing changed from wall-clock ns `since` on, and any change from now on will show in the stamp."""
    margin = FINE if found.st_ctime_ns % 1_000_000_000 else COARSE
    return found.st_ctime_ns < min(since, time.time_ns()) - margin
