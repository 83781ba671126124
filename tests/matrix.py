"""Runs the tests that start TensorFlow against each supported version, each in an environment of its own.

Writes docs/matrix.md. Versions may be named (`tests/matrix.py 2.18`): then only their rows are written anew. A version
that this interpreter cannot install is said, and is no failure.

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
from pathlib import Path

import pieces
import rows

ROOT = Path(__file__).parents[1]
VERSIONS = ("2.21", "2.18", "2.16", "2.15")  # newest first
TESTED = ("src", "tests", "scripts", "pyproject.toml")  # what a commit must have changed to be another one here
PYTEST = [sys.executable, "-m", "pytest", "-q", "-m", "tensorflow and not suite"]
HERE = f"Python {sys.version.split()[0]}"
WORDS = ("The tests that start TensorFlow, run against each version by `make test-matrix`, each in an environment of its own; "
         "each row is the last result of one version.")
HEAD = "| TensorFlow | tests | failed | took | on |"


def environment(version):
    """The interpreter of an environment with that TensorFlow, None where it cannot be made."""
    folder = ROOT / f".venv-{version}"
    python = folder / "bin/python"
    if not (folder / ".ready").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        install = [python, "-m", "pip", "install", "-q", f"tensorflow-cpu=={version}.*", *extra(version)]
        if subprocess.run(install).returncode:
            return None
        (folder / ".ready").touch()
    return python


def extra(version):
    """What old releases need beside what they name themselves."""
    return ["setuptools<81"] if version in ("2.15", "2.16") else []


def commit():
    """The last one that changed what is tested, with a + where that has been changed since."""
    def git(*command):
        return subprocess.run(["git", *command, "--", *TESTED], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()

    return git("log", "-1", "--format=%h", "--abbrev=10") + ("+" if git("status", "--porcelain") else "")


def tests(env):
    """file -> how many tests of it there are for a version."""
    done = subprocess.run([*PYTEST, "--collect-only", "tests"], env=env, capture_output=True, text=True, cwd=ROOT)
    return Counter(line.partition("::")[0] for line in done.stdout.splitlines() if "::" in line)


def run(file, env):
    began, at = time.monotonic(), commit()
    done = subprocess.run([*PYTEST, file], env=env, capture_output=True, text=True, cwd=ROOT)
    outcome = pieces.of(done.stdout, done.returncode, file, at, time.monotonic() - began)
    print(f"{file}: {outcome.counts}, {outcome.seconds:.0f} s", flush=True)
    if outcome.failed:
        print(done.stdout[-20000:], flush=True)
    return outcome


def row(version, outcome):
    counts = ", ".join(f"{number} {name}" for name, number in sorted(outcome.counts.items()))
    failed = "<br>".join(f"`{name}`" for name in outcome.failed) or "–"
    on = f"{rows.today()}, {HERE}, commit {outcome.commit}" + (f"; {outcome.again}" if outcome.again else "")
    return f"| {version} | {counts} | {failed} | {outcome.seconds / 60:.0f} min | {on} |"


def run_version(version, part, again):
    """Runs a version, or what of it is asked for. Its row, None where parts are missing; whether all passed."""
    python = environment(version)
    if python is None:
        return f"| {version} | cannot be installed for {HERE} | – | – | {rows.today()}, {HERE} |", True
    env = {**os.environ, "FIRSTSTEP_TEST_PYTHON": str(python)}
    kept, found = python.parents[1] / "matrix.json", tests(env)
    number, of = part
    files = again or pieces.parts(found, of)[number - 1]
    for file in files:
        outcome = run(file, env)
        pieces.keep(kept, file, pieces.run_again(outcome, pieces.read(kept).get(file)) if again else outcome)
    outcomes = pieces.read(kept)
    whole = pieces.added_up(outcomes, sorted(found))
    return (row(version, whole) if whole else None), not any(outcomes[file].failed for file in files)


def which_part(text):
    number, of = map(int, text.split("/"))
    if not 1 <= number <= of:
        raise ValueError(text)
    return number, of


def main():
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("version", nargs="*", default=VERSIONS)
    asked.add_argument("--part", type=which_part, default=(1, 1), help="1/6: the first of six")
    asked.add_argument("--again", action="append", metavar="FILE", help="only this file, beside what is kept of the others")
    asked = asked.parse_args()
    passed = {}
    for version in asked.version:
        text, passed[version] = run_version(version, asked.part, asked.again)
        if text:
            rows.write(ROOT / "docs/matrix.md", "TensorFlow versions", WORDS, HEAD, {version: text}, VERSIONS)
        else:
            print(f"{version}: other parts of this commit are missing; docs/matrix.md has its last row")
    sys.exit(0 if all(passed.values()) else 1)


if __name__ == "__main__":
    main()
