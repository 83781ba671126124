"""Whether this state of firststep is slower than an earlier one: the same programs under both, interleaved.

FIRSTSTEP_BENCH_AGAINST names the commit. Each state is installed into an environment and has a cache of its own; the programs run by
the same interpreter under both.
"""

import contextlib
import functools
import os
import re
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

from harness import ROOT, Row, Table, between, git, interleaved, middle, program, ratio

HERE = "HEAD"
LEARNING_RUNS = 3
HEADING = ["asked for", "against", "then", "now / then", "at exit, now / then"]
ABOUT = ("From the spawn of `firststep` to the first line that the program prints after its first step, and to the end of all. A state "
         "in which the proof of an answer is more thorough than then takes longer at exit: that is said, and nothing is asked for.")


def against():
    named = os.environ.get("FIRSTSTEP_BENCH_AGAINST")
    commit = named and git("rev-parse", "--verify", "--short", f"{named}^{{commit}}")
    return commit or sys.exit("FIRSTSTEP_BENCH_AGAINST names no commit")


@contextlib.contextmanager
def installed(commit):
    """The `firststep` of a commit, installed from a copy of its files."""
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder, "files")
        files.mkdir()
        archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True).stdout
        subprocess.run(["tar", "-x", "-C", files], input=archive, check=True)
        venv.create(Path(folder, "env"), with_pip=True)
        subprocess.run([Path(folder, "env/bin/python"), "-m", "pip", "install", "-q", files], check=True)
        yield functools.partial(timed, str(Path(folder, "env/bin/firststep")), str(Path(folder, "cache")))


def timed(firststep, cache, verb, command, line):
    """(seconds to the line of the program, seconds to the end)."""
    env = {**os.environ, "FIRSTSTEP_CACHE": cache, "PYTHONUNBUFFERED": "1"}
    output = ["--output", f"{cache}.trace"] if verb == "record" else []
    began = time.monotonic()
    with subprocess.Popen([firststep, verb, *output, "--", *command], env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True) as process:
        said = next((time.monotonic() - began for printed in process.stdout if re.match(line, printed)), None)
        process.stdout.read()
    if process.returncode or said is None:
        raise RuntimeError(f"{verb} {' '.join(command)} ended with exit code {process.returncode}")
    return said, time.monotonic() - began


def row(pairs, pair_s, verb, line, name, *arguments):
    def measure(pairs):
        commit, command = against(), program(name, *arguments)
        with installed(commit) as then, installed(HERE) as now:
            for state in (then, now) * (LEARNING_RUNS if verb == "boost" else 1):
                state(verb, command, line)
            found = interleaved(lambda: now(verb, command, line), lambda: then(verb, command, line), pairs)
        (now_said, now_ended), (then_said, then_ended) = (zip(*times) for times in found)
        return ["≤ 1.02 at the upper end", commit, f"{middle(then_said):.2f} s", between(ratio(now_said, then_said), "{:.3f}"),
                between(ratio(now_ended, then_ended), "{:.3f}")]

    return Row(measure, pairs, 40 + 4 * pair_s, pair_s)


TABLE = Table("against", "Against an earlier state", HEADING, {
    "MLP fit, recorded": row(20, 8, "record", "tensorflow", "keras_mlp", "--steps", 1, "--epochs", 1),
    "raw tf.function loop, recorded": row(20, 8, "record", "epoch 0", "raw_function_loop", "--steps", 1, "--epochs", 1),
    "MLP fit, boosted": row(20, 6, "boost", "tensorflow", "keras_mlp", "--steps", 1, "--epochs", 1),
    "raw tf.function loop, boosted": row(20, 6, "boost", "epoch 0", "raw_function_loop", "--steps", 1, "--epochs", 1),
}, ABOUT)


if __name__ == "__main__":
    TABLE.main()
