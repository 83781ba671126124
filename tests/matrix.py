"""Runs the tests that start TensorFlow against each supported version, each in an environment of its own.

Writes docs/matrix.md. Versions may be named (`tests/matrix.py 2.18 2.21-3.13`): then only their rows are written anew. A version
that an interpreter cannot install is said, and is no failure. On other Pythons than the one that runs this, what depends on the
Python is run: whole starts, what is seen of them, what is left after ready, the function cache and its proof.

A version takes half an hour. `tests/matrix.py 2.18 --part 1/6` runs a sixth of it: what each file came to is kept in the
version's environment, and the command that runs the last missing part writes the row. A row is of one commit; what was
run again alone after it (`--again tests/boost/test_overlap.py`) is named in it.
"""

import argparse
import os
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pieces
import rows
from programs import interpreters

ROOT = Path(__file__).parents[1]
VERSIONS = (  # TensorFlow, or TensorFlow-Python
    "2.21", "2.18", "2.16", "2.15", "2.21-system", "2.21-3.13", "2.21-3.12", "2.21-3.10", "2.15-3.9")
SYSTEM = "/usr/bin/python3"  # Debian's and Ubuntu's is linked to a fixed place: its classes and functions lie below 2**32
ON_OTHER_PYTHONS = (
    "tests/boost/test_whole_start.py", "tests/boost/test_prebuild_variables.py", "tests/boost/test_run_operations_directly.py",
    "tests/boost/test_presize_data_stack.py", "tests/boost/test_unchanged.py", "tests/frameworks/test_nothing_left.py",
    "tests/agent/test_frameworks.py", "tests/agent/test_ready.py", "tests/agent/test_pythons_own.py",
    "tests/function_cache/test_replay.py", "tests/function_cache/test_proof.py", "tests/function_cache/test_replay_refusals.py",
    "tests/function_cache/test_hidden_state.py", "tests/function_cache/test_ordinary_traces.py", "tests/function_cache/test_by_content.py",
)
TESTED = ("src", "tests", "scripts", "pyproject.toml")  # what a commit must have changed to be another one here
PYTEST = [sys.executable, "-m", "pytest", "-q", "-m", "tensorflow and not suite"]
HERE = f"Python {sys.version.split()[0]}"
WORDS = ("The tests that start TensorFlow, run against each version by `make test-matrix`, each in an environment of its own; "
         "each row is the last result of one version. On other Pythons what depends on the Python is run; `tests/matrix.py` names it.")
HEAD = "| TensorFlow | tests | failed | took | on |"


@dataclass(frozen=True)
class Version:
    """A row: a TensorFlow, on the Python that runs this, or on another one ("3.13", "system")."""

    tensorflow: str
    python: str = ""

    @property
    def folder(self):
        return ROOT / ".venv-{}".format("-".join(filter(None, (self.tensorflow, self.python))))

    @property
    def name(self):
        return self.tensorflow + (f" on {SYSTEM}" if self.python == "system" else f" on Python {self.python}" if self.python else "")

    @property
    def interpreter(self):
        """None where this machine has no such Python."""
        if self.python == "system":
            return SYSTEM if os.path.exists(SYSTEM) else None
        return interpreters().get(tuple(map(int, self.python.split(".")))) if self.python else sys.executable


def version(text):
    """Of "2.21", or "2.21-3.13"."""
    return Version(*text.split("-"))


def environment(version):
    """The interpreter of an environment with that TensorFlow, None where it cannot be made."""
    python = version.folder / "bin/python"
    if not (version.folder / ".ready").exists():
        if version.interpreter is None:
            return None
        subprocess.run([version.interpreter, "-m", "venv", version.folder], check=True)
        install = [python, "-m", "pip", "install", "-q", f"tensorflow-cpu=={version.tensorflow}.*", *extra(version)]
        if subprocess.run(install).returncode:
            return None
        (version.folder / ".ready").touch()
    return python


def extra(version):
    """What old releases need beside what they name themselves."""
    return ["setuptools<81"] if version.tensorflow in ("2.15", "2.16") else []


def whole_name(python):
    """As "Python 3.13.0"."""
    return subprocess.run([python, "--version"], capture_output=True, text=True, check=True).stdout.strip()


def commit():
    """The last one that changed what is tested, with a + where that has been changed since."""
    def git(*command):
        return subprocess.run(["git", *command, "--", *TESTED], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()

    return git("log", "-1", "--format=%h", "--abbrev=10") + ("+" if git("status", "--porcelain") else "")


def tests(version, env):
    """file -> how many tests of it there are for a version."""
    places = ON_OTHER_PYTHONS if version.python else ("tests",)
    done = subprocess.run([*PYTEST, "--collect-only", *places], env=env, capture_output=True, text=True, cwd=ROOT)
    return Counter(line.partition("::")[0] for line in done.stdout.splitlines() if "::" in line)


def run(file, env):
    began, at = time.monotonic(), commit()
    done = subprocess.run([*PYTEST, file], env=env, capture_output=True, text=True, cwd=ROOT)
    outcome = pieces.of(done.stdout, done.returncode, file, at, time.monotonic() - began)
    print(f"{file}: {outcome.counts}, {outcome.seconds:.0f} s", flush=True)
    if outcome.failed:
        print(done.stdout[-20000:], flush=True)
    return outcome


def row(version, python, outcome):
    counts = ", ".join(f"{number} {name}" for name, number in sorted(outcome.counts.items()))
    failed = "<br>".join(f"`{name}`" for name in outcome.failed) or "–"
    on = f"{rows.today()}, {whole_name(python)}, commit {outcome.commit}" + (f"; {outcome.again}" if outcome.again else "")
    return f"| {version.name} | {counts} | {failed} | {outcome.seconds / 60:.0f} min | {on} |"


def run_version(version, part, again):
    """Runs a version, or what of it is asked for. Its row, None where parts are missing; whether all passed."""
    python = environment(version)
    if python is None:
        return f"| {version.name} | cannot be installed here | – | – | {rows.today()}, {HERE} |", True
    env = {**os.environ, "FIRSTSTEP_TEST_PYTHON": str(python)}
    kept, found = python.parents[1] / "matrix.json", tests(version, env)
    number, of = part
    files = again or pieces.parts(found, of)[number - 1]
    for file in files:
        outcome = run(file, env)
        pieces.keep(kept, file, pieces.run_again(outcome, pieces.read(kept).get(file)) if again else outcome)
    outcomes = pieces.read(kept)
    whole = pieces.added_up(outcomes, sorted(found))
    return (row(version, python, whole) if whole else None), not any(outcomes[file].failed for file in files)


def which_part(text):
    number, of = map(int, text.split("/"))
    if not 1 <= number <= of:
        raise ValueError(text)
    return number, of


def main():
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("version", nargs="*", type=version, default=[version(each) for each in VERSIONS])
    asked.add_argument("--part", type=which_part, default=(1, 1), help="1/6: the first of six")
    asked.add_argument("--again", action="append", metavar="FILE", help="only this file, beside what is kept of the others")
    asked = asked.parse_args()
    passed = {}
    for each in asked.version:
        text, passed[each] = run_version(each, asked.part, asked.again)
        if text:
            names = [version(one).name for one in VERSIONS]
            rows.write(ROOT / "docs/matrix.md", "TensorFlow versions", WORDS, HEAD, {each.name: text}, names)
        else:
            print(f"{each.name}: other parts of this commit are missing; docs/matrix.md has its last row")
    sys.exit(0 if all(passed.values()) else 1)


if __name__ == "__main__":
    main()
