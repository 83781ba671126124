"""Runs a program plainly, on a learning run and replayed, with nothing of firststep but the remedy `cache-functions`."""

import atexit
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

TARGET = os.environ.get("FIRSTSTEP_TEST_PYTHON", sys.executable)
SOURCE = Path(__file__).parents[2] / "src"

DRIVER = '''
import atexit, gc, json, os, runpy, sys
MODE, NOTES, PROGRAM = sys.argv[1:4]
SETTINGS = json.loads(os.environ["SETTINGS"])
sys.argv = sys.argv[3:]
sys.path[:0] = [os.environ["SOURCE"], os.environ["HERE"]]
from faked_run import Run
sys.path.remove(os.environ["HERE"])
del sys.modules["faked_run"]  # none of the program's

run = Run(os.environ["CACHE"], NOTES)
run.know_fork_handlers()
run.imports.install()
gc.disable()  # a quarter of the import, as another remedy knows
run.imports.after("tensorflow", lambda module: gc.enable())
if MODE == "boost":
    if SETTINGS.pop("goes_on", False):  # many functions share a process: one that is stopped is noted, and the others go on
        from firststep_agent.boost.cache_functions.proof import watch
        watch.Proofs._stop = lambda *arguments: None
    from firststep_agent.boost import cache_functions
    cache_functions.start(run, SETTINGS)
atexit.register(run.finish, "exit")
sys.path.insert(0, os.path.dirname(PROGRAM))
runpy.run_path(PROGRAM, run_name="__main__")
'''


@cache
def loaded(number):
    """A process that starts are forks of, for all of a test run's. There are two, so that what is another in each process (addresses, the
    order of sets) is another in the next start."""
    process = subprocess.Popen([TARGET, str(Path(__file__).with_name("forked_starts.py"))], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True, env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"})
    atexit.register(process.stdin.close)
    return process


@dataclass(frozen=True)
class Ran:
    """What a run printed, and what the remedy noted."""

    out: str
    err: str
    notes: list
    training: list

    def functions(self, what):
        return [labels.get("function") for noted, labels in self.notes if noted == what]

    def reasons(self, what):
        return [labels.get("reason") for noted, labels in self.notes if noted == what]


class Lab:
    """One program, one cache. alone: each start is a process of its own from the beginning, and not a fork of one that has TensorFlow
    loaded, which takes half the time and is two frames deeper."""

    def __init__(self, folder, program, alone=False):
        self._alone = alone
        self._starts = 0
        self.cache = folder / "cache"
        self.cache.mkdir(mode=0o700)
        self._notes = folder / "notes.json"
        self._driver = folder / "driver.py"
        self._driver.write_text(DRIVER)
        self.program = folder / "program.py"
        self.program.write_text(program)

    def plain(self):
        """A start without the remedy."""
        return self._ran(*self._start("plain", {}))

    def boost(self, settings=None, status=0):
        """One boosted start; small functions are replayed as well."""
        return self._ran(*self._start("boost", {"replay_over_ms": 0, "proof": "wait", **(settings or {})}), status)

    def learned(self, settings=None):
        """What the first two starts lead to: learned, then confirmed. The second one's Ran."""
        self.boost(settings)
        return self.boost(settings)

    def _start(self, mode, settings):
        """(exit code, standard output, standard error) of one start."""
        environment = {**os.environ, "SOURCE": str(SOURCE), "HERE": str(Path(__file__).parents[1]), "CACHE": str(self.cache), "TF_CPP_MIN_LOG_LEVEL": "3",
                       "SETTINGS": json.dumps(settings)}
        environment.pop("PYTHONPATH", None)
        words = [str(self._driver), mode, str(self._notes), str(self.program)]
        return (_process if self._alone else self._fork)(environment, words)

    def _fork(self, environment, words):
        server = loaded(self._starts % 2)
        self._starts += 1
        with tempfile.TemporaryDirectory() as said:
            out, err = Path(said, "out"), Path(said, "err")
            job = {"folder": str(self._driver.parent), "environment": environment, "words": words, "out": str(out), "err": str(err)}
            server.stdin.write(json.dumps(job) + "\n")
            server.stdin.flush()
            return int(server.stdout.readline()), out.read_text(), err.read_text()

    def _ran(self, found, out, err, expected=0):
        assert found == expected, err[-3000:]
        noted = json.loads(self._notes.read_text())
        return Ran(out, err, noted["notes"], noted["training"])

    def entries(self):
        return sorted(self.cache.glob("cache-functions/*/*.entry"))


def _process(environment, words):
    done = subprocess.run([TARGET, *words], capture_output=True, text=True, timeout=400, env=environment, cwd=Path(words[0]).parent)
    return done.returncode, done.stdout, done.stderr


def set_trust(kept, entry, trust):
    """kept: a Functions; trust: what is to be known of the entry from now on."""
    assert kept.change_trust(entry, lambda known: vars(known).update(vars(trust))) is None


@pytest.fixture
def lab(tmp_path, request):
    """Makes a Lab of a program. The long tests start processes of their own, as users do."""
    is_long = request.node.get_closest_marker("suite") is not None
    return lambda program, alone=is_long: Lab(tmp_path, program, alone)


def check_same(laboratory, live):
    """Learned, confirmed and replayed runs print what a plain one does; the replay answers exactly the functions `live`. The replay."""
    plain = laboratory.plain()
    for _ in range(3):
        ran = laboratory.boost()
        assert ran.out == plain.out
    assert ran.functions("live") == live, ran.notes
    return ran


def check_replayed(laboratory, functions=None, at_least=()):
    """Plain, learned, confirmed and replayed runs print the same; the replay answers exactly `functions`, or `at_least` these."""
    plain = laboratory.plain()
    for _ in ("learned", "confirmed"):
        traced = laboratory.boost()
        assert traced.out == plain.out
        assert not traced.functions("error") and not traced.functions("failed"), traced.notes
    replayed = laboratory.boost()
    assert replayed.out == plain.out
    assert sorted(replayed.functions("proved")) == sorted(replayed.functions("live")), replayed.notes
    assert not replayed.functions("error") and not replayed.functions("failed"), replayed.notes
    answered = replayed.functions("live")
    if functions is not None:
        assert answered == functions, replayed.notes
    for name in at_least:
        assert name in answered, replayed.notes
        answered.remove(name)
    return replayed
