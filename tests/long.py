"""Runs the long tests (`-m suite`, of the longest a sample) file by file and records each result in docs/suite.md.

Files or folders may be named (`tests/long.py tests/boost`): then only their rows are written anew.
"""

import re
import subprocess
import sys
import time
from pathlib import Path

import rows

ROOT = Path(__file__).parents[1]
PYTEST = [sys.executable, "-m", "pytest", "-m", "suite and not beyond_sample", "-q", "--no-header"]
OUTCOME = re.compile(r"^(PASSED|FAILED|SKIPPED|ERROR)\s+(.*)$", re.M)
WORDS = ("Fuzzing, kills, races, neighbours, every program of the zoo: what is too long for every change. "
         "`make suite` runs it; each row is the last result of one file. Of tests/frameworks/test_mutations.py and "
         "tests/function_cache/attacks it runs a fifth, another in each week; `pytest -m suite` runs all at once.")
HEAD = "| file | passed | failed | skipped, with the reason | took | on |"


def files(places):
    """The files that hold long tests, in order."""
    done = subprocess.run([*PYTEST, "--collect-only", *places], capture_output=True, text=True, cwd=ROOT)
    found = [line.partition("::")[0] for line in done.stdout.splitlines() if "::" in line]
    return list(dict.fromkeys(found))


def row(file):
    began = time.monotonic()
    done = subprocess.run([*PYTEST, "-rA", "--show-capture=no", file], capture_output=True, text=True, cwd=ROOT)
    print(done.stdout[-6000:], done.stderr[-2000:], flush=True)
    found = {}
    for outcome, where in OUTCOME.findall(done.stdout.rpartition("short test summary info")[2]):
        found.setdefault(outcome, []).append(where.partition(" - ")[0].partition("::")[2] or where)
    failed = [f"`{name}`" for name in found.get("FAILED", []) + found.get("ERROR", [])]
    if done.returncode and not failed:
        failed = ["it did not run"]
    cells = [file, str(len(found.get("PASSED", []))), "<br>".join(failed) or "–", "<br>".join(found.get("SKIPPED", [])) or "–",
             rows.minutes(began), f"{rows.today()}, Python {sys.version.split()[0]}"]
    return "| " + " | ".join(cells) + " |", done.returncode == 0


def main():
    results = {}
    for file in files(sys.argv[1:]):
        results[file] = row(file)
        rows.write(ROOT / "docs/suite.md", "The long tests", WORDS, HEAD, {name: text for name, (text, _) in results.items()},
                   files([]))
    print((ROOT / "docs/suite.md").read_text())
    sys.exit(0 if results and all(passed for _, passed in results.values()) else 1)


if __name__ == "__main__":
    main()
