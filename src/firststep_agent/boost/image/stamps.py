"""What tells a file or a directory from any other version of itself, and when that can be relied upon."""

import time

FINE = 100_000_000  # ns after which a change must show in a file system that keeps fractions of a second
COARSE = 3_000_000_000  # the same in one that keeps whole seconds


def stamp(found):
    """The identity of a version of a file, from its os.stat_result. The change time cannot be set by a program."""
    return (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)


def directory_stamp(found):
    """The same of a directory: any entry that is added, removed or renamed changes it."""
    return (found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def settled(found, since):
    """True where nothing changed from wall-clock ns `since` on, and any change from now on will show in the stamp."""
    margin = FINE if found.st_ctime_ns % 1_000_000_000 else COARSE
    return found.st_ctime_ns < min(since, time.time_ns()) - margin
