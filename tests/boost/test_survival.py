"""What boost must survive: in every case the program runs and prints what it prints plainly."""

from __future__ import annotations

import os
import random
import shlex
import shutil
import signal
import subprocess
import sys
import time

import pytest
from programs import damaged, supported_interpreters

from firststep_agent.boost.folders import MARK

PROGRAM = """
import importlib, sys
names = ["pack"] + [f"pack.m{n}" for n in range(12)]
print([getattr(importlib.import_module(name), "VALUE", None) for name in names], sys.prefix)
"""


@pytest.fixture
def program(box):
    """A box with a program of some modules, its bytecode written, nothing learned."""
    box.package("pack")
    box.write("program.py", PROGRAM)
    box.plain("program.py")
    time.sleep(0.3)
    return box


def command(box):
    return [sys.executable, "-m", "firststep.cli", "boost", "--", sys.executable, "program.py"]


def together(box, how_many):
    """The outputs of boosted starts at once."""
    running = [subprocess.Popen(command(box), cwd=box.folder, env=box.environment, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True) for _ in range(how_many)]
    return [one.communicate(timeout=300)[0] for one in running]


def same(box):
    expected = box.plain("program.py").out
    for _ in range(2):
        ran = box.boost("program.py")
        assert (ran.code, ran.out) == (0, expected), ran.said


def entries(box):
    """Everything that is kept, the savings included."""
    return sorted(box.cache.glob("*/**/*.entry"))


@pytest.mark.parametrize("how_many", [3, pytest.param(16, marks=pytest.mark.suite)])
def test_many_starts_at_once_on_an_empty_cache(program, how_many):
    expected = program.plain("program.py").out
    assert together(program, how_many) == [expected] * how_many
    same(program)


def kill_while_learning(box, delay_s):
    running = subprocess.Popen(command(box), cwd=box.folder, env=box.environment, start_new_session=True,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(delay_s)
    try:
        os.killpg(running.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    return running.wait() == -signal.SIGKILL


@pytest.mark.parametrize("kills", [3, pytest.param(100, marks=pytest.mark.suite)])
def test_killed_while_learning(program, kills):
    """Kills hit: where a start has ended before its kill, the next comes sooner."""
    choose, latest, hits = random.Random(7), 0.7, 0
    for _ in range(kills * 10):
        shutil.rmtree(program.cache, ignore_errors=True)
        delay = choose.uniform(0.05, latest)
        if kill_while_learning(program, delay):
            hits += 1
        else:
            latest = max(0.1, delay)
        if hits == kills:
            break
    assert hits == kills
    same(program)
    assert entries(program)


@pytest.mark.parametrize("rounds", [3, pytest.param(100, marks=pytest.mark.suite)])
def test_damaged_entries(program, rounds):
    same(program)
    choose = random.Random(11)
    expected = program.plain("program.py").out
    for _ in range(rounds):
        assert {path.parent.name for path in entries(program)} >= {"import-image", "pause-garbage-collection", "savings"}
        for path in entries(program):
            path.write_bytes(damaged(path.read_bytes(), choose))
        ran = program.boost("program.py")
        assert (ran.code, ran.out) == (0, expected), ran.said
        program.boost("program.py")


def test_a_cache_that_others_can_write_is_refused(program):
    program.cache.mkdir(mode=0o700)
    program.cache.chmod(0o777)
    ran = program.boost("program.py")
    assert ran.out == program.plain("program.py").out
    assert "can be written by others" in ran.said
    assert not list(program.cache.iterdir())


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_cache_of_another_user_is_refused(program):
    program.cache.mkdir(mode=0o700)
    os.chown(program.cache, 12345, 12345)
    ran = program.boost("program.py")
    assert ran.out == program.plain("program.py").out
    assert "belongs to another user (uid 12345)" in ran.said


def test_where_no_account_of_what_was_saved_can_be_opened(program):
    """As on a disk that is full, or for reading alone: root may write what its modes forbid, and not into a file as into a folder."""
    same(program)
    shutil.rmtree(program.cache / "savings")
    (program.cache / "savings").touch()
    ran = program.boost("program.py")
    assert ran.out == program.plain("program.py").out
    assert "firststep: ended after" in ran.said and "could not be summed up" not in ran.said


def test_a_cache_that_cannot_be_made(program):
    program.write("file", "")
    program.environment["FIRSTSTEP_CACHE"] = str(program.folder / "file/cache")
    same(program)


FULL = """
import errno, os
from firststep_agent.boost import store
def write_all(number, data):
    os.write(number, data[:100])
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
store.write_all = write_all
kept = store.Store({root!r}, "remedy")
print(kept.write("0" * 32, {{}}, b"body"), kept.read("0" * 32), os.listdir({root!r} + "/remedy"))
"""


def test_a_full_disk_keeps_nothing_and_leaves_nothing(box):
    box.cache.mkdir(mode=0o700)
    assert box.plain("-c", FULL.format(root=str(box.cache))).out == "No space left on device None []\n"


def mounted(box, mount, command):
    """Runs a shell command where `mount` has been carried out, which nobody else sees; skips where that is forbidden."""
    done = subprocess.run(["unshare", "-rm", "sh", "-ec", f"{mount}; echo mounted; {command}"], cwd=box.folder,
                          env=box.environment, capture_output=True, text=True, timeout=300)
    if not done.stdout.startswith("mounted\n"):
        pytest.skip("file systems cannot be mounted here")
    return done.stdout.removeprefix("mounted\n"), done.returncode, done.stderr


@pytest.mark.parametrize("room_k", [0, 4, 16, 64])
def test_a_cache_on_a_full_disk(program, room_k):
    """Full from the start, or while something is being written."""
    program.cache.mkdir(mode=0o700)
    mount = (f"mount -t tmpfs -o size={4 + room_k}k,mode=700 none {program.cache}; touch {program.cache}/{MARK}; "
             f"head -c 4096 /dev/zero > {program.cache}/fills")
    out, code, said = mounted(program, mount, " && ".join([shlex.join(command(program))] * 2))
    assert (out, code) == (program.plain("program.py").out * 2, 0), said
    assert "Traceback" not in said


@pytest.mark.parametrize("learned", [False, True])
def test_a_cache_that_is_read_only(program, learned):
    program.cache.mkdir(mode=0o700)
    if learned:
        same(program)
    mount = f"mount --bind {program.cache} {program.cache}; mount -o remount,bind,ro {program.cache}"
    out, code, said = mounted(program, mount, " && ".join([shlex.join(command(program))] * 2))
    assert (out, code) == (program.plain("program.py").out * 2, 0), said
    assert "Traceback" not in said
    assert ("modules from one file" in said) == learned


INTERPRETERS = list(supported_interpreters().values())


@pytest.mark.skipif(len(INTERPRETERS) < 2, reason="there is one Python on this machine: none shares a cache with it")
def test_interpreters_share_a_cache_and_nothing_in_it(program):
    for _ in range(3):
        for python in INTERPRETERS:
            assert program.boost("program.py", python=python).out == program.plain("program.py", python=python).out


def test_two_environments_share_a_cache_and_nothing_in_it(program):
    other = program.folder / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(other)], check=True)
    python = str(other / "bin/python")
    for _ in range(2):
        for one in (sys.executable, python):
            assert program.boost("program.py", python=one).out == program.plain("program.py", python=one).out
    assert len({path for path in entries(program) if path.parent.name == "import-image"}) == 2


def test_the_clock_set_back(program):
    """What was learned, and the files it was learned from, are of a time that is still to come."""
    to_come = time.time() + 1e6
    for path in (program.folder / "pack").rglob("*"):
        os.utime(path, (to_come, to_come))
    same(program)
    for path in program.cache.rglob("*"):
        os.utime(path, (to_come, to_come))
    same(program)


def test_a_package_upgraded(program):
    """Another version in its place, whose files carry older times, as installers leave them."""
    same(program)
    program.package("new")
    for number in range(12):
        path = program.folder / f"new/m{number}.py"
        path.write_text(f"VALUE = {number + 100}\n")
        os.utime(path, (1e9, 1e9))
    (program.folder / "pack").rename(program.folder / "old")
    (program.folder / "new").rename(program.folder / "pack")
    assert "[None, 100, 101" in program.boost("program.py").out
    same(program)


def test_one_file_of_a_package_edited_in_place(program):
    same(program)
    path = program.folder / "pack/m4.py"
    before = path.stat()
    with path.open("r+") as file:
        file.write("VALUE = 7")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    for cached in (program.folder / "pack/__pycache__").glob("m4.*"):
        cached.unlink()  # Python itself looks at the size and the second alone, which are as before
    assert "3, 7, 5" in program.boost("program.py").out


def test_the_clock_set_back_over_an_edit(program):
    same(program)
    path = program.folder / "pack/m2.py"
    path.write_text(path.read_text().replace("VALUE = 2", "VALUE = 8"))
    os.utime(path, (1, 1))
    assert "1, 8, 3" in program.boost("program.py").out


def test_switched_off(program):
    program.environment["FIRSTSTEP"] = "off"
    ran = program.boost("program.py")
    assert ran.out == program.plain("program.py").out
    assert "firststep:" not in ran.said and not program.cache.exists()


def test_exit_code_and_streams_pass_through(box):
    box.write("program.py", "import sys; print(sys.stdin.read()); sys.exit(37)")
    assert box.boost("program.py").code == 37
