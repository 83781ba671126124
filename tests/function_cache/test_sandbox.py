"""What the copy of the process that proves an answer may do, take and be seen by."""

import faulthandler
import importlib
import mmap
import os
import signal
import sys
import time

import pytest

from firststep_agent.boost.cache_functions.proof import sandbox, work


def status_of(act, most_s=600.0, meanwhile=lambda: None):
    """How a copy ends that does this: 0 where it comes to its end. It is killed by SIGABRT where it takes longer."""
    pid = os.fork()
    if not pid:
        try:
            act()
        finally:
            os._exit(0)
    meanwhile()
    until = time.monotonic() + most_s
    while not (ended := os.waitpid(pid, os.WNOHANG))[0]:
        if time.monotonic() > until:
            os.kill(pid, signal.SIGABRT)
        time.sleep(0.01)
    return ended[1]


def test_where_memory_runs_out_the_copy_is_ended_and_not_the_program():
    reader, writer = os.pipe()

    def act():
        sandbox.limit(1 << 30)
        with open("/proc/self/oom_score_adj", "rb") as file:
            os.write(writer, file.read())

    status_of(act)
    os.close(writer)
    with os.fdopen(reader) as said:
        assert int(said.read()) == 1000


def test_a_copy_ends_in_time_though_the_program_bounds_its_own():
    region = mmap.mmap(-1, work.SIZE)
    work.let_go(region)
    job = work.Job("f", None, lambda: time.sleep(600), *[None] * 3, [], {}, 0.2)
    faulthandler.dump_traceback_later(600)  # as pytest does; to set that anew waits for a thread, which is not in the copy
    try:
        status = status_of(lambda: work.do(job, region, [], [], []), 10)
    finally:
        faulthandler.cancel_dump_traceback_later()
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def spin():
    while True:
        pass


@pytest.mark.parametrize("work_of", [spin, lambda: time.sleep(4.0)], ids=["works", "waits"])
def test_a_copys_time_is_that_of_the_processor_which_a_busy_program_leaves_it_little_of(monkeypatch, work_of):
    monkeypatch.setattr(work, "STARVED", 10_000)
    region = mmap.mmap(-1, work.SIZE)
    work.let_go(region)
    job = work.Job("f", None, work_of, *[None] * 3, [], {}, 3.0)
    status = status_of(lambda: work.do(job, region, [], [], []), 120)
    assert os.WIFSIGNALED(status) is (work_of is spin)
    assert work.said(region) == "" if work_of is spin else work.said(region)


def test_what_the_program_writes_to_shared_memory_after_the_fork_is_not_the_copys():
    """Else an unchanged program would be stopped: the copy may come to run long after."""
    memory, (wait, go), (reader, writer) = mmap.mmap(-1, mmap.PAGESIZE), os.pipe(), os.pipe()
    memory[0] = 7
    shared = sandbox.shared_now()

    def act():
        os.read(wait, 1)
        sandbox.keep_to_itself(shared)
        os.write(writer, memory[:1])
        memory[0] = 8

    def meanwhile():
        memory[0] = 9
        os.write(go, b"g")

    assert status_of(act, meanwhile=meanwhile) == 0
    assert (os.read(reader, 1), memory[0]) == (b"\x07", 9)


CHANGES = {
    "opens a file for writing": lambda path: open(path, "wb"),
    "opens a file for more": lambda path: open(path, "ab"),
    "makes a file": lambda path: os.close(os.open(path, os.O_RDONLY | os.O_CREAT)),
    "makes a folder": lambda path: os.mkdir(path + ".d"),
    "removes a file": os.unlink,
    "renames a file": lambda path: os.rename(path, path + ".new"),
    "links a file": lambda path: os.symlink(path, path + ".link"),
    "sets times": os.utime,
    "sets a mode": lambda path: os.chmod(path, 0o600),
    "cuts a file": lambda path: os.truncate(path, 0),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_copy_that_would_change_a_file_ends_even_if_it_catches_the_failure(tmp_path, what):
    path = tmp_path / "file"
    path.write_text("a")

    def act():
        sandbox.enter()
        try:
            CHANGES[what](str(path))
        except OSError:
            pass

    status = status_of(act)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGSYS
    assert os.listdir(tmp_path) == ["file"] and path.read_text() == "a"


def test_a_copy_reads_as_the_program_does(tmp_path):
    (tmp_path / "file").write_text("a")

    def act():
        sandbox.enter()
        with open(tmp_path / "file") as file:
            os._exit(42 if file.read() == "a" and os.listdir(tmp_path) == ["file"] else 1)

    assert os.WEXITSTATUS(status_of(act)) == 42


def test_a_copy_may_be_the_first_to_import_a_module(tmp_path, monkeypatch):
    (tmp_path / "never_imported_before.py").write_text("VALUE = 42")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)

    def act():
        sandbox.enter()
        os._exit(importlib.import_module("never_imported_before").VALUE)

    status = status_of(act)
    assert os.WIFEXITED(status) and os.WEXITSTATUS(status) == 42
