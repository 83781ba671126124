"""Reads ahead, unless it is all in memory already or would not fit."""

from _thread import allocate_lock
from time import sleep

from firststep_agent.as_found import open, os
from firststep_agent.boost.prefetch_pages import ID
from firststep_agent.boost.prefetch_pages.learning import identity
from firststep_agent.clock import now
from firststep_agent.descriptors import open_own, room
from firststep_agent.threads import start_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from firststep_agent.descriptors import Own

BY_THE_TOOL = "reading-ahead"  # a file in the session's folder: the tool has begun it already
THREADS = 4
SAMPLES = 24  # places that are asked for before anything is read
LOCKS = "/proc/locks"  # the kernel's list of them
CHUNK = 8 << 20  # bytes of one request
LARGEST_SHARE = 0.5  # of the memory that is free
WITHOUT_WAITING = os.O_RDONLY | os.O_NONBLOCK  # whatever stands there by now


def read_ahead(run: "Any", files: "Iterable[Any]") -> None:
    """Starts the threads, or says why not."""
    ranges = ranges_of(files)
    megabytes = size_of(ranges) // 1_000_000
    if not fits(ranges):
        run.note(ID, "refused", reason=f"{megabytes} MB would not leave half of the free memory")
        return
    resident = is_resident(ranges)
    if os.path.exists(os.path.join(run.plan["session"], BY_THE_TOOL)):  # asked last: it is there before anything is read
        run.note(ID, "live", megabytes=megabytes)
        return
    if resident:
        return
    try:
        readers = Readers(ranges)
    except OSError:
        run.note(ID, "refused", reason="which files are locked cannot be told here")
        return
    run.at_fork(before=readers.stop)
    readers.start()
    reported: list[bool] = []

    def report():
        readers.stop()
        if not reported:
            reported.append(True)
            run.note(ID, "live", megabytes=megabytes, read_ns=readers.spent_ns)

    run.on_ready(report)
    run.on_exit(report)


def ranges_of(files: "Iterable[Any]") -> "list[tuple[str, int, int]]":
    """[(path, offset, length)] of what was learned, where the files are still the same."""
    return [(path, offset, length) for path, kept, parts in files if _unchanged(path, kept) for offset, length in parts]


def size_of(ranges: "Iterable[tuple[str, int, int]]") -> int:
    """Bytes."""
    return sum(length for _, _, length in ranges)


def fits(ranges: "Iterable[tuple[str, int, int]]") -> bool:
    """Whether half of the free memory stays free."""
    return size_of(ranges) <= _free() * LARGEST_SHARE


def _unchanged(path: str, kept: "list[int]") -> bool:
    try:
        return identity(os.stat(path)) == kept
    except OSError:
        return False


def _free() -> int:
    with open("/proc/meminfo", "rb") as file:
        for line in file:
            if line.startswith(b"MemAvailable:"):
                return int(line.split()[1]) * 1024
    return 0


def is_resident(ranges: "Sequence[tuple[str, int, int]]") -> bool:
    """Whether samples, the largest ranges among them, are all in the page cache. Asking does not wait for the disk.

    Not every file system can be asked (where a container's driver libraries come from, for one), and a file may have gone: what cannot
    be told of any of them is asked for.
    """
    largest = sorted(ranges, key=lambda part: -part[2])[:SAMPLES]
    buffer, told = bytearray(1), not ranges
    for path, offset, length in (*largest, *ranges[::len(ranges) // SAMPLES + 1]):
        try:
            with open_own(path, WITHOUT_WAITING) as file:
                os.preadv(file.number(), [buffer], offset + length // 2, os.RWF_NOWAIT)
            told = True
        except BlockingIOError:
            return False
        except OSError:
            continue
    return told


class Readers:
    """Threads that ask the kernel to read, range after range in the order of need.

    The files are opened before the threads begin: one that opened files would take numbers, for a moment each, that the
    program expects to get. Raises OSError where nobody tells which files are locked.
    """

    def __init__(self, ranges: "Sequence[tuple[str, int, int]]") -> None:
        self._locks = open_own(LOCKS, os.O_RDONLY)
        self._files = _opened(ranges)
        self._left = iter([part for part in ranges if part[0] in self._files])
        self._lock = allocate_lock()
        self._running = 0
        self._stopped = False
        self.spent_ns = 0

    def start(self) -> None:
        self._running = THREADS
        for _ in range(THREADS):
            start_thread(self._read)

    def stop(self) -> None:
        """No new request, and the threads are gone soon: a process that forks should have one thread."""
        self._stopped = True
        deadline = now() + 200_000_000
        while self._running and now() < deadline:
            sleep(0.001)

    def _next(self) -> "tuple[str, int, int] | None":
        with self._lock:
            return None if self._stopped else next(self._left, None)

    def _read(self) -> None:
        began = now()
        try:
            while (part := self._next()) is not None:
                try:
                    self._request(*part)
                except OSError:
                    continue  # the program has closed it, or it has gone: that keeps no other from being read
        finally:
            self.spent_ns = max(self.spent_ns, now() - began)
            with self._lock:
                self._running -= 1
                if not self._running:
                    self._close()

    def _close(self) -> None:
        """Whoever closes a file takes away all locks that the process has on it, the program's: one that is locked stays open, and all
        do where the program has closed the list of what is locked."""
        try:
            locked = _inodes(self._locks)
        except OSError:
            return
        for file in self._files.values():
            if file.identity[1] not in locked:
                file.close()
        self._locks.close()

    def _request(self, path: str, offset: int, length: int) -> None:
        for start in range(offset, offset + length, CHUNK):
            if self._stopped:
                return
            os.posix_fadvise(self._files[path].number(), start, min(CHUNK, offset + length - start), os.POSIX_FADV_WILLNEED)


def _inodes(locks: "Own") -> "set[int]":
    """Of the files on which any process has a lock of the kind that goes with a closed file. Of which device is not asked: some file
    systems tell their files' owners another one than the kernel's list names. Raises OSError."""
    text = b""
    while more := os.pread(locks.number(), 1 << 16, len(text)):
        text += more
    fields = [line.split() for line in text.splitlines() if b" POSIX " in line]
    return {int(word.rpartition(b":")[2]) for line in fields for word in line if word.count(b":") == 2}


def _opened(ranges: "Iterable[tuple[str, int, int]]") -> "dict[str, Own]":
    """path -> Own, of as many files as there is room for."""
    files: dict[str, Own] = {}
    for path, _, _ in ranges:
        if path not in files and len(files) < room():
            try:
                files[path] = open_own(path, WITHOUT_WAITING)
            except OSError:
                continue  # a file that has gone: the program will see for itself
    return files
