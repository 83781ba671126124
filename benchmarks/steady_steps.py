"""Whether steps are as fast as plain ones after ready, by the program's own clock: under record, and boosted.

Two processes of the program, with and without, live at the same time and take turns of a tenth of a second: what else the
machine does, and how it changes from minute to minute, meets both alike.
"""

import os
import re
import signal
import subprocess
import tempfile
import threading
import time
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path

from harness import FIRSTSTEP, PROGRAMS, PYTHON, Row, Table, between, middle, ratio
from proving import own_cache

LEARNING_RUNS = 3
TURN_S = 0.1
TIMEOUT_S = 300.0
HEADING = ["asked for", "median step, plain", "with / plain", "fastest tenth, plain", "with / plain"]
ABOUT = ("Steps after the twentieth, as the program's own clock has them (a callback of its own, on both sides). The two processes of a "
         "pair take turns of a tenth of a second, in which the other is stopped. *Fastest tenth*: a tenth of a run's steps are faster. "
         "Plain runs have no agent.")


def steps(command, verbs):
    """[(median, fastest tenth) in seconds] of processes that take turns; a verb of None: without firststep."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        printed = [Path(folder, str(number)) for number in range(len(verbs))]
        files = [stack.enter_context(path.open("w")) for path in printed]
        started = [subprocess.Popen([*under(verb, folder), *command], stdout=file, stderr=subprocess.DEVNULL, start_new_session=True)
                   for verb, file in zip(verbs, files, strict=True)]
        threading.Thread(target=take_turns, args=(printed,), daemon=True).start()
        if any(codes := [process.wait(TIMEOUT_S) for process in started]):
            raise RuntimeError(f"{' '.join(command)} ended with exit code {max(codes)}")
        return [tuple(map(float, path.read_text().rpartition("steps")[2].split())) for path in printed]


def under(verb, folder):
    """What stands before the program's own command line."""
    output = ["--output", f"{folder}/trace"] if verb == "record" else []
    return [FIRSTSTEP, verb, *output, "--"] if verb else []


def take_turns(printed):
    """Lets one run after the other, once each has said that it is warm and has stopped itself, until one has ended.

    Who watches a program is stopped and continued with it, as by a shell.
    """
    processes = [warm(path) for path in printed]
    for pid in cycle(processes):
        os.killpg(os.getpgid(pid), signal.SIGCONT)
        time.sleep(TURN_S)
        if state(pid) in ("", "Z"):
            break
        os.killpg(os.getpgid(pid), signal.SIGSTOP)
    for pid in processes:
        if state(pid):
            os.killpg(os.getpgid(pid), signal.SIGCONT)


def warm(printed):
    """The process whose output this is, when it has stopped itself."""
    while not (said := re.match(r"warm (\d+)\n", printed.read_text())) or state(said[1]) != "T":
        time.sleep(0.01)
    return int(said[1])


def state(pid):
    """T: stopped; Z: ended; empty: gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""


def row(verb, which, count, pairs, pair_s):
    learning_runs = LEARNING_RUNS if verb == "boost" else 1
    command = [PYTHON, str(PROGRAMS / "steady_steps.py"), which, str(count)]

    def measure(pairs):
        with own_cache():
            for _ in range(learning_runs):
                steps(command, [verb])
            measured = [steps(command, [None, verb]) for _ in range(pairs)]
        cells = ["≤ 1.01"]
        for number in range(2):
            plain, watched = zip(*[[process[number] for process in pair] for pair in measured])
            cells += [f"{1000 * middle(plain):.3f} ms", between(ratio(watched, plain), "{:.3f}")]
        return cells

    return Row(measure, pairs, pair_s * learning_runs / 1.5, pair_s)


TABLE = Table("steady-steps", "One step after ready", HEADING, {
    "MLP, recorded": row("record", "mlp", 2000, 12, 8),
    "MLP, boosted": row("boost", "mlp", 2000, 12, 8),
    "MLP in an eager loop, recorded": row("record", "eager", 400, 12, 11),
    "MLP in an eager loop, boosted": row("boost", "eager", 400, 12, 11),
    "four convolutions, recorded": row("record", "convolutions", 300, 8, 14),
    "four convolutions, boosted": row("boost", "convolutions", 300, 8, 14),
}, ABOUT)


if __name__ == "__main__":
    TABLE.main()
