"""Whatever a program does to descriptors, we write into no file of its own, close none, and take no number of its."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys

import pytest
from programs import FIRSTSTEP

PROGRAM = """
import os, sys, time, threading, socket, atexit, firststep

def kept(kind):
    '''A descriptor of the program's own, and what it must hold at the end.'''
    if kind == "file":
        return os.open("theirs", os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    if kind == "pipe":
        return os.pipe()[1]
    if kind == "socket":
        return socket.socketpair()[0].detach()
    return os.openpty()[0]

def numbers():
    return [int(name) for name in os.listdir("/proc/self/fd") if int(name) > 2]

theirs = []

def lose(way, kind):
    if way == "closerange":
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    elif way == "one by one":
        for number in range(3, 1100):
            try:
                os.close(number)
            except OSError:
                pass
    elif way == "listed":
        for number in numbers():
            try:
                os.close(number)
            except OSError:
                pass
    elif way == "dup2":
        one = kept(kind)
        theirs.extend(numbers())
        for number in theirs:
            os.dup2(one, number)
    elif way == "filled":
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        one = kept(kind)
        theirs.append(one)
        for number in range(3, 1030):
            if number != one:
                theirs.append(os.dup2(one, number))
    elif way == "daemon":
        if os.fork():
            os.waitpid(-1, 0)
            os._exit(0)
        os.setsid()
        os.closerange(0, 1024)
        print_to = os.open("daemon", os.O_RDWR | os.O_CREAT)
        assert print_to == 0, print_to
        os.dup2(0, 1); os.dup2(0, 2)

def held():
    time.sleep(0.35)
    for number in theirs:
        os.fstat(number)
    return os.path.getsize("theirs") if os.path.exists("theirs") else None

way, kind, moment = sys.argv[1:]
if moment == "start":
    lose(way, kind)
import importlib
for name in ("json", "decimal", "fractions", "statistics", "uuid", "calendar", "difflib", "csv"):
    importlib.import_module(name)
time.sleep(0.1)
if moment == "middle":
    lose(way, kind)
print("before", held(), flush=True)
firststep.mark("here")
if moment == "after ready":
    lose(way, kind)
if moment == "exit":
    atexit.register(lambda: (lose(way, kind), print("last", held(), flush=True)))
first = os.open("/", os.O_RDONLY)
print("after", held(), first if moment == "exit" else "-", flush=True)
"""

WAYS = ["closerange", "one by one", "listed", "dup2", "filled", "daemon"]
MOMENTS = ["start", "middle", "after ready", "exit"]
KINDS = ["file", "pipe", "socket", "terminal"]
VERBS = ["record", "boost"]


def ran(folder, verb, *words):
    folder.mkdir(exist_ok=True)
    (folder / "program.py").write_text(PROGRAM)
    command = [sys.executable, "program.py", *words]
    if verb:
        options = ["-o", "a.trace"] if verb == "record" else []
        command = [*FIRSTSTEP, verb, "--until", "mark:here", *options, "--", *command]
    environment = {**os.environ, "FIRSTSTEP_CACHE": str(folder / "cache")}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, env=environment)
    said = [line for line in done.stderr.splitlines() if "Error" in line or "Exception" in line or "Traceback" in line]
    files = {name: (folder / name).read_bytes() for name in ("theirs", "daemon") if (folder / name).exists()}
    return done.returncode, done.stdout, said, files


def compare(tmp_path, way, kind, moment, verb):
    plain = ran(tmp_path / "plain", None, way, kind, moment)
    for _ in range(2 if verb == "boost" else 1):
        assert ran(tmp_path / verb, verb, way, kind, moment) == plain
        for name in plain[3]:
            (tmp_path / verb / name).unlink()


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(("way", "moment"), [("closerange", "start"), ("dup2", "middle"), ("filled", "after ready"),
                                             ("daemon", "middle"), ("listed", "exit")])
def test_files_of_the_program(tmp_path, way, moment, verb):
    compare(tmp_path, way, "file", moment, verb)


@pytest.mark.suite
@pytest.mark.parametrize(("way", "kind", "moment", "verb"), list(itertools.product(WAYS, KINDS, MOMENTS, VERBS)))
def test_every_way_to_lose_descriptors(tmp_path, way, kind, moment, verb):
    compare(tmp_path, way, kind, moment, verb)


def test_the_numbers_are_those_of_a_plain_run(record, write, target):
    """The next file that the program opens gets the number that it would get plainly; few of ours are open, and high ones."""
    path = write("program.py", "import os, json\nprint([os.dup(1) for _ in range(3)])\n"
                               "print(sum(int(n) > 900 for n in os.listdir('/proc/self/fd')) <= 6, file=__import__('sys').stderr)")
    plain = subprocess.run([target, path], capture_output=True)
    recorded = record([target, path])
    assert recorded.out == plain.stdout
    assert b"True" in recorded.err
