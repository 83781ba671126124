"""Files are read ahead where they are not in memory, and only there."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

import pytest

from firststep.launch import read_ahead
from firststep.model.plan import Plan

SIZE = 4 << 20


def in_memory(path):
    with path.open("rb") as file:
        try:
            os.preadv(file.fileno(), [bytearray(1)], SIZE // 2, os.RWF_NOWAIT)
        except BlockingIOError:
            return False
    return True


def forget(path):
    """Takes a file out of the page cache; skips the test where the file system is memory. (Asking would read it.)"""
    if subprocess.run(["stat", "-f", "-c", "%T", path], capture_output=True, text=True).stdout.strip() == "tmpfs":
        pytest.skip("this file system keeps files in memory")
    with path.open("rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def test_reads_ahead_what_is_not_in_memory(box):
    weights = box.write("weights.bin", "x" * SIZE)
    box.write("program.py", "import sys, time\nopen('weights.bin').read() if len(sys.argv) < 2 else time.sleep(1)")
    assert "learned (files" in box.boost("program.py").said
    assert not box.boost("program.py").live("prefetch-pages")
    forget(weights)
    ran = box.boost("program.py", "do not read")
    assert ran.live("prefetch-pages"), ran.said
    assert in_memory(weights)


def test_a_file_that_was_replaced_is_left_alone(box):
    weights = box.write("weights.bin", "x" * SIZE)
    box.write("program.py", "open('weights.bin').read()")
    box.boost("program.py")
    weights.unlink()
    box.write("weights.bin", "y" * SIZE + "y")
    assert box.boost("program.py").code == 0


def read_by_the_tool(box, program):
    """Has the tool read ahead what it does beside the start of a program, and waits for it."""
    before = set(threading.enumerate())
    read_ahead.begin(Plan(boost={"prefetch-pages": {}}, cache=str(box.cache)), [sys.executable, str(program)], box.folder)
    for thread in set(threading.enumerate()) - before:
        thread.join()
    time.sleep(0.5)  # the readers are no `threading` threads, and the disk takes its time


@pytest.fixture
def learned(box):
    """(the program, a file that it reads and that is not in memory)."""
    weights = box.write("weights.bin", "x" * SIZE)
    program = box.write("program.py", "open('weights.bin').read()")
    assert "learned (files" in box.boost(str(program)).said
    forget(weights)
    return program, weights


def test_the_tool_reads_ahead_beside_the_start(box, learned):
    program, weights = learned
    read_by_the_tool(box, program)
    assert in_memory(weights) and (box.folder / "reading-ahead").exists()


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
