"""Files are read ahead where they are not in memory, and only there."""

from __future__ import annotations

import os
import subprocess

import pytest

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
