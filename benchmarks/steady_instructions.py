"""How many instructions a step after ready takes, plainly, under record and boosted. It needs valgrind.

Times of the same program differ by one in a hundred with where its memory lies; what it executes does not. Times play no part: this
may run beside other work.
"""

import os
import re
import subprocess
import tempfile
from pathlib import Path

from harness import FIRSTSTEP, PROGRAMS, PYTHON, Row, Table
from proving import own_cache
from steady_steps import LEARNING_RUNS

STEPS, WARM = 120, 20
CALLGRIND = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--separate-threads=yes", "--smc-check=all-non-file"]
HEADING = ["asked for", "instructions of a step, plain", "with / plain", "plain / plain"]
ABOUT = ("Of the thread that trains, as valgrind counts them, from the twentieth step on: the mean of the runs, with the farthest one "
         "in brackets. Plain runs have no agent.")


def millions(under, which, steps=STEPS):
    """Millions of instructions that a step of the program takes in its main thread. under: the command that starts it.

    Hashes of text are the same in each process: with them the ways through dictionaries are.
    """
    with tempfile.TemporaryDirectory() as folder:
        program = [PYTHON, str(PROGRAMS / "counted_steps.py"), which, str(steps)]
        subprocess.run([*under, *CALLGRIND, f"--callgrind-out-file={folder}/out", *program], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONHASHSEED": "0"})
        counted = Path(folder, "out-01").read_text()  # of the first thread
    return int(re.findall(r"^totals: (\d+)$", counted, re.M)[-1]) / (steps - WARM) / 1e6


def row(under, learning_runs, which, pairs, pair_s):
    def measure(pairs):
        with own_cache():
            for _ in range(learning_runs):
                millions(under, which, WARM + 5)
            plain, others = zip(*[[millions(each, which) for each in ([], under)] for _ in range(pairs)])
        mean = sum(plain) / pairs
        return ["≤ 1.01", f"{mean:.2f} million", farthest([each / mean for each in others]), farthest([each / mean for each in plain])]

    return Row(measure, pairs, learning_runs * pair_s / 2, pair_s)


def farthest(ratios):
    """Their mean, and the one that is farthest from 1."""
    return f"{sum(ratios) / len(ratios):.4f} ({max(ratios, key=lambda each: abs(each - 1)):.4f})"


RECORD = [FIRSTSTEP, "record", "-o", os.devnull, "--"]
BOOST = [FIRSTSTEP, "boost", "--"]
TABLE = Table("steady-instructions", "Instructions of one step after ready", HEADING, {
    "MLP in an eager loop, recorded": row(RECORD, 0, "eager", 2, 200),
    "MLP in an eager loop, boosted": row(BOOST, LEARNING_RUNS, "eager", 2, 200),
}, ABOUT)


if __name__ == "__main__":
    TABLE.main()
