"""Files are read ahead where they are not in memory, and only there."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import mmap
import os
import subprocess
import sys
import threading
import time

import pytest

from firststep.launch import read_ahead
from firststep.model.plan import Plan
from firststep_agent import as_found
from firststep_agent.boost.prefetch_pages import reading

SIZE = 1 << 18  # bytes of each
FILES = 40  # asking whether a page is in memory may bring it there, on a fast disk before the answer: not for all of them
READS = "for n in range(40): open(f'weights{n}.bin').read()"


def in_memory(paths):
    return all(resident_pages(path) == SIZE // mmap.PAGESIZE for path in paths)


def forget(paths):
    """Takes files out of the page cache; skips the test where the system keeps them there."""
    for path in paths:
        for _ in range(20):
            with path.open("rb") as file:
                os.fsync(file.fileno())
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            if not resident_pages(path):
                break
            time.sleep(0.1)
        else:
            pytest.skip("this system keeps files in memory")


def resident_pages(path):
    """How many pages of a file are in memory: asked so that nothing is read."""
    seen = (ctypes.c_ubyte * (SIZE // mmap.PAGESIZE))()
    with path.open("rb") as file, mmap.mmap(file.fileno(), SIZE, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE) as mapped:
        start = ctypes.c_char.from_buffer(mapped)
        assert ctypes.CDLL(None).mincore(ctypes.c_void_p(ctypes.addressof(start)), ctypes.c_size_t(SIZE), seen) == 0
        del start
    return sum(each & 1 for each in seen)


def write_weights(box):
    return [box.write(f"weights{number}.bin", "x" * SIZE) for number in range(FILES)]


def test_reads_ahead_what_is_not_in_memory(box):
    weights = write_weights(box)
    box.write("program.py", f"import sys, time\nif len(sys.argv) > 1: time.sleep(1)\nelse:\n    {READS}")
    assert "learned (files" in box.boost("program.py").said
    assert not box.boost("program.py").live("prefetch-pages")
    forget(weights)
    ran = box.boost("program.py", "do not read")
    assert ran.live("prefetch-pages"), ran.said
    assert any(map(resident_pages, weights))  # the program ends when it likes, and the reading with it


def test_the_agent_reads_ahead_where_no_tool_does(box):
    """The tool cannot tell whose start it is where another program starts the interpreter."""
    weights = write_weights(box)
    program = str(box.write("program.py", f"import sys, time\nif len(sys.argv) > 1: time.sleep(1)\nelse:\n    {READS}"))
    assert "learned (files" in box.boost(program).said
    forget(weights)
    ran = box.boost(sys.executable, program, "do not read", python="env")
    assert ran.live("prefetch-pages"), ran.said
    assert any(map(resident_pages, weights))  # the program ends when it likes, and the reading with it


def test_a_file_that_was_replaced_is_left_alone(box):
    weights = write_weights(box)
    box.write("program.py", READS)
    box.boost("program.py")
    weights[0].unlink()
    box.write("weights0.bin", "y" * SIZE + "y")
    assert box.boost("program.py").code == 0


def read_by_the_tool(box, program):
    """Has the tool read ahead what it does beside the start of a program, and waits for it."""
    before = set(threading.enumerate())
    read_ahead.begin(Plan(boost={"prefetch-pages": {}}, cache=str(box.cache)), [sys.executable, str(program)], box.folder)
    while set(threading.enumerate()) - before:  # the one that is begun begins another
        time.sleep(0.01)
    time.sleep(0.5)  # the readers are no `threading` threads, and the disk takes its time


@pytest.fixture
def learned(box):
    """(the program, files that it reads and that are not in memory)."""
    weights = write_weights(box)
    program = box.write("program.py", READS)
    assert "learned (files" in box.boost(str(program)).said
    forget(weights)
    return program, weights


def test_the_tool_reads_ahead_beside_the_start(box, learned):
    program, weights = learned
    for _ in range(3):  # the kernel reads ahead as it has time and memory: what it has left out is asked for once more
        forget(weights)
        read_by_the_tool(box, program)
        assert (box.folder / "reading-ahead").exists()
        for _ in range(200):  # the reading goes on in this process until it is done
            if in_memory(weights):
                return
            time.sleep(0.1)
    pytest.fail(f"pages in memory of each: {[resident_pages(path) for path in weights]}")


def test_one_file_that_cannot_be_read_keeps_no_other_from_it(box, learned):
    _, weights = learned
    readers = reading.Readers([(str(path), 0, SIZE) for path in weights])
    for path in weights[:2 * reading.THREADS]:
        os.close(readers._files[str(path)].number())  # as a program may do
    readers.start()
    for _ in range(200):
        if in_memory(weights[2 * reading.THREADS:]):
            return
        time.sleep(0.1)
    pytest.fail(f"pages in memory of each: {[resident_pages(path) for path in weights]}")


def test_a_lock_that_the_program_has_stays(tmp_path):
    """The system takes away a process's locks on a file when the process closes it, through whatever descriptor."""
    paths = [tmp_path / name for name in ("locked", "free")]
    for path in paths:
        path.write_bytes(b"x" * SIZE)
    readers = reading.Readers([(str(path), 0, SIZE) for path in paths])
    with paths[0].open("rb") as locked, paths[1].open("rb") as free:
        fcntl.lockf(locked, fcntl.LOCK_SH)
        fcntl.flock(free, fcntl.LOCK_SH)  # of another kind: it stays until its own file is closed
        readers.start()
        while readers._running or readers._files[str(paths[1])]._number is not None:
            time.sleep(0.01)
        lock = f"import fcntl; fcntl.lockf(open({str(paths[0])!r}, 'r+b'), fcntl.LOCK_EX | fcntl.LOCK_NB)"
        other = subprocess.run([sys.executable, "-S", "-c", lock], stderr=subprocess.PIPE, text=True, check=False)
        assert "BlockingIOError" in other.stderr
    readers._files[str(paths[0])].close()


def test_where_the_program_has_closed_the_list_of_locks_all_files_stay_open(tmp_path):
    """Nobody knows then what is locked."""
    path = tmp_path / "a"
    path.write_bytes(b"x" * SIZE)
    readers = reading.Readers([(str(path), 0, SIZE)])
    os.close(readers._locks.number())
    readers._close()
    assert readers._files[str(path)].number()
    readers._files[str(path)].close()


def test_what_a_program_writes_is_not_learned(box):
    """It may be locked; and what says `open` to the audit hooks need not be Python's."""
    names = ("read", "written", "both", "mapped")
    for name in names:
        box.write(f"{name}.bin", "x" * SIZE)
    box.write("program.py", """
import mmap, sys
open("read.bin"), open("written.bin", "r+"), open("both.bin"), open("both.bin", "a")
file = open("mapped.bin", "r+b")
mapped = mmap.mmap(file.fileno(), 0)
mapped[0] = mapped[-1] = 1
sys.audit("open")
sys.audit("open", "no flags")
class Odd(str):
    def startswith(self, *given): raise RuntimeError("asked")
    __hash__ = startswith
open(Odd("read.bin"))
""")
    ran = box.boost("program.py")
    assert "learned (files" in ran.said and ran.code == 0, ran.said
    (entry,) = box.cache.glob("prefetch-pages/*.entry")
    assert [f"/{name}.bin".encode() in entry.read_bytes() for name in names] == [True, False, False, False]


def test_the_tool_reads_nothing_for_another_program(box, learned):
    program, weights = learned
    read_by_the_tool(box, program.with_name("other.py"))
    assert not in_memory(weights)


def test_a_damaged_entry_keeps_the_tool_from_nothing(box, learned):
    program, weights = learned
    (entry,) = box.cache.glob("prefetch-pages/*.entry")
    entry.write_bytes(entry.read_bytes()[:-1])
    read_by_the_tool(box, program)
    assert not in_memory(weights)
    assert box.boost(str(program)).code == 0


def test_files_that_cannot_be_asked_whether_they_are_in_memory_end_nothing(tmp_path, monkeypatch):
    """On the file system from which a container has its driver's libraries: seen on a machine with a GPU."""
    (tmp_path / "driver.so").write_bytes(b"x" * SIZE)
    (tmp_path / "file").write_bytes(b"x" * SIZE)
    plain, cannot = os.preadv, os.stat(tmp_path / "driver.so").st_ino

    def preadv(number, buffers, offset, flags=0):
        if os.fstat(number).st_ino == cannot:
            raise OSError(errno.EOPNOTSUPP, "Operation not supported")
        return plain(number, buffers, offset)

    monkeypatch.setattr(as_found.os, "preadv", preadv)
    cannot_be_told, gone, there = ((str(tmp_path / name), 0, SIZE) for name in ("driver.so", "gone", "file"))
    assert reading.is_resident([cannot_be_told, gone, there])
    assert not reading.is_resident([cannot_be_told, gone])
    assert reading.is_resident([])
