"""`--cold`: empties the page cache before a run, as far as this user may, and says how far that was.

The kernel drops everything for root. Where it may not be asked, each file that the program's interpreter may
read is evicted by posix_fadvise and looked up with mincore; pages that another process has mapped stay.
"""

from __future__ import annotations

import ctypes
import mmap
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

DROP = Path("/proc/sys/vm/drop_caches")
PAGE = mmap.PAGESIZE


@dataclass(frozen=True)
class Emptied:
    """how: dropped or evicted; of the files looked at: their bytes, and the bytes still resident afterwards."""

    how: str
    files: int
    bytes: int
    resident: int

    def __str__(self) -> str:
        if self.how == "dropped":
            return "page cache dropped by the kernel (drop_caches)"
        share = self.resident / self.bytes if self.bytes else 0.0
        return (f"page cache evicted file by file (posix_fadvise): {self.files} files, {self.bytes / 1e9:.2f} GB, "
                f"of which {share:.1%} stayed resident (mincore); files outside these folders stay warm")


def empty(folders: Sequence[str]) -> Emptied:
    """Empties the page cache: all of it, or of the files below `folders`."""
    os.sync()
    try:
        DROP.write_text("3")
        return Emptied("dropped", 0, 0, 0)
    except OSError:
        return _evict(_files(folders))


def _files(folders: Sequence[str]) -> Iterator[str]:
    """Regular files, each folder entered once, however many of `folders` lie in each other."""
    seen: set[str] = set()
    for folder in folders:
        for root, below, names in os.walk(os.path.realpath(folder)):
            if root in seen:
                below.clear()
                continue
            seen.add(root)
            yield from (os.path.join(root, name) for name in names)


def _evict(paths: Iterable[str]) -> Emptied:
    files = size = resident = 0
    for path in paths:
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            continue
        try:
            length = os.fstat(descriptor).st_size
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            resident += _resident(descriptor, length)
            files, size = files + 1, size + length
        except OSError:
            continue
        finally:
            os.close(descriptor)
    return Emptied("evicted", files, size, resident)


def _resident(descriptor: int, length: int) -> int:
    """Bytes of an open file that are in the page cache."""
    if not length:
        return 0
    pages = (length + PAGE - 1) // PAGE
    found = (ctypes.c_ubyte * pages)()
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
    address = libc.mmap(None, length, mmap.PROT_READ, mmap.MAP_SHARED, descriptor, 0)
    if address in (None, ctypes.c_void_p(-1).value):
        raise OSError(ctypes.get_errno(), "mmap")
    try:
        if libc.mincore(ctypes.c_void_p(address), ctypes.c_size_t(length), found):
            raise OSError(ctypes.get_errno(), "mincore")
    finally:
        libc.munmap(ctypes.c_void_p(address), ctypes.c_size_t(length))
    return sum(1 for page in found if page & 1) * PAGE
