"""Runs a program plainly, on a learning run and replayed, with nothing of firststep but the remedy `cache-functions`."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

TARGET = os.environ.get("FIRSTSTEP_TEST_PYTHON", sys.executable)
SOURCE = Path(__file__).parents[2] / "src"

DRIVER = '''
import atexit, json, os, runpy, sys
MODE, NOTES, PROGRAM = sys.argv[1:4]
SETTINGS = json.loads(os.environ["SETTINGS"])
sys.argv = sys.argv[3:]
sys.path.insert(0, os.environ["SOURCE"])
from firststep_agent.imports import Imports


class Run:
    """As much of the agent's Run as the remedy uses."""

    def __init__(self):
        self.cache, self.env = os.environ["CACHE"], os.environ
        self.notes, self.training, self.callbacks = [], [], {"ready": [], "exit": [], "fork": []}
        self.imports = Imports(self)
        self.imports.install()

    def replace(self, owner, name, value):
        setattr(owner, name, value)

    def before_import(self, name, callback):
        self.imports.before(name, callback)

    def after_import(self, name, callback):
        self.imports.after(name, callback)

    def on_ready(self, callback):
        self.callbacks["ready"].append(callback)

    def on_exit(self, callback):
        self.callbacks["exit"].append(callback)

    def on_fork(self, callback):
        self.callbacks["fork"].append(callback)

    def on_training(self, callback):
        pass

    def note(self, remedy, what, **labels):
        self.notes.append([what, labels])

    def mark_training(self, name):
        self.training.append(name)

    def failed(self, where, error):
        self.notes.append(["failed", {"reason": f"{where}: {type(error).__name__}: {error}"}])


def leave():
    for callback in run.callbacks["exit"]:
        callback()
    with open(NOTES, "w") as file:
        json.dump({"notes": run.notes, "training": run.training}, file)


run = Run()
if MODE == "boost":
    from firststep_agent.boost import cache_functions
    cache_functions.start(run, SETTINGS)
atexit.register(leave)
sys.path.insert(0, os.path.dirname(PROGRAM))
runpy.run_path(PROGRAM, run_name="__main__")
'''


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
    """One program, one cache."""

    def __init__(self, folder, program):
        self.cache = folder / "cache"
        self.cache.mkdir(mode=0o700)
        self._notes = folder / "notes.json"
        self._driver = folder / "driver.py"
        self._driver.write_text(DRIVER)
        self.program = folder / "program.py"
        self.program.write_text(program)

    def plain(self):
        return self._run("plain", 0)

    def boost(self, check_one_in=0):
        return self._run("boost", check_one_in)

    def _run(self, mode, check_one_in):
        environment = {**os.environ, "SOURCE": str(SOURCE), "CACHE": str(self.cache), "TF_CPP_MIN_LOG_LEVEL": "3",
                       "SETTINGS": json.dumps({"check_one_in": check_one_in})}
        environment.pop("PYTHONPATH", None)
        done = subprocess.run([TARGET, str(self._driver), mode, str(self._notes), str(self.program)],
                              capture_output=True, text=True, timeout=400, env=environment, cwd=self._driver.parent)
        assert done.returncode == 0, done.stderr[-3000:]
        noted = json.loads(self._notes.read_text())
        return Ran(done.stdout, done.stderr, noted["notes"], noted["training"])

    def entries(self):
        return sorted(self.cache.glob("cache-functions/*/*.entry"))


@pytest.fixture
def lab(tmp_path):
    return lambda program: Lab(tmp_path, program)


def check_replayed(laboratory, functions=None, at_least=()):
    """Plain, learned and replayed runs print the same; the replay answers exactly `functions`, or `at_least` these."""
    plain, learned = laboratory.plain(), laboratory.boost()
    assert learned.out == plain.out
    assert not learned.functions("error"), learned.notes
    replayed = laboratory.boost()
    assert replayed.out == plain.out
    assert not replayed.functions("error") and not replayed.functions("failed"), replayed.notes
    answered = replayed.functions("live")
    if functions is not None:
        assert answered == functions, replayed.notes
    for name in at_least:
        assert name in answered, replayed.notes
        answered.remove(name)
    return replayed
