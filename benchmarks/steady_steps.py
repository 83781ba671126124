"""Whether steps are as fast as plain ones after ready, by the program's own clock: under record, and boosted.

Two processes of the program, with and without, live at the same time and take turns of a tenth of a second: what else the
machine does, and how it changes from minute to minute, meets both alike.
"""

import os
import signal
import subprocess
import tempfile
import threading
import time
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path

from harness import PROGRAMS, PYTHON, Row, Table, between, middle, ratio
from proving import own_cache

from firststep.boost.compose import boost_plan
from firststep.launch.session import Session
from firststep.model.plan import Plan

LEARNING_RUNS = 3
TURN_S = 0.1
TIMEOUT_S = 300.0
HEADING = ["asked for", "median step, plain", "with / plain", "fastest tenth, plain", "with / plain"]
ABOUT = ("Steps after the twentieth, as the program's own clock has them (a callback of its own, on both sides). The two processes of a "
         "pair take turns of a tenth of a second, in which the other is stopped. *Fastest tenth*: a tenth of a run's steps are faster. "
         "Plain runs have no agent.")


def steps(command, plans):
    """[(median, fastest tenth) in seconds] of processes that take turns; a plan of None: without an agent.

    All but the last are without.
    """
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        printed = [Path(folder, str(number)) for number in range(len(plans))]
        files = [stack.enter_context(path.open("w")) for path in printed]
        threading.Thread(target=take_turns, args=(printed,), daemon=True).start()
        plain = [subprocess.Popen(command, stdout=file, stderr=subprocess.DEVNULL) for file in files[:-1]]
        last = Session(command, plans[-1], stdout=files[-1].fileno(), stderr=subprocess.DEVNULL, timeout_s=TIMEOUT_S)
        codes = [last.run().exit_code, *(each.wait(TIMEOUT_S) for each in plain)]
        if any(codes):
            raise RuntimeError(f"{' '.join(command)} ended with exit code {max(codes)}")
        return [tuple(map(float, path.read_text().rpartition("steps")[2].split())) for path in printed]


def take_turns(printed):
    """Lets one run after the other, once each has said that it is warm and has stopped itself, until one has ended."""
    processes = [warm(path) for path in printed]
    for pid in cycle(processes):
        os.kill(pid, signal.SIGCONT)
        time.sleep(TURN_S)
        if state(pid) in ("", "Z"):
            break
        os.kill(pid, signal.SIGSTOP)
    for pid in processes:
        if state(pid):
            os.kill(pid, signal.SIGCONT)


def warm(printed):
    """The process whose output this is, when it has stopped itself."""
    while "warm" not in (text := printed.read_text()) or state(int(text.split()[1])) != "T":
        time.sleep(0.01)
    return int(text.split()[1])


def state(pid):
    """T: stopped; Z: ended; empty: gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""


def row(make_plan, learns, which, count, pairs, pair_s):
    command = [PYTHON, str(PROGRAMS / "steady_steps.py"), which, str(count)]

    def measure(pairs):
        with own_cache():
            plan = make_plan()
            for _ in range(LEARNING_RUNS if learns else 1):
                steps(command, [plan])
            measured = [steps(command, [None, plan]) for _ in range(pairs)]
        cells = ["≤ 1.01"]
        for number in range(2):
            plain, watched = zip(*[[process[number] for process in pair] for pair in measured])
            cells += [f"{1000 * middle(plain):.3f} ms", between(ratio(watched, plain), "{:.3f}")]
        return cells

    return Row(measure, pairs, pair_s * 2 if learns else pair_s, pair_s)


TABLE = Table("steady-steps", "One step after ready", HEADING, {
    "MLP, recorded": row(Plan, False, "mlp", 2000, 12, 16),
    "MLP, boosted": row(boost_plan, True, "mlp", 2000, 12, 14),
    "MLP in an eager loop, recorded": row(Plan, False, "eager", 400, 12, 20),
    "MLP in an eager loop, boosted": row(boost_plan, True, "eager", 400, 12, 18),
    "four convolutions, recorded": row(Plan, False, "convolutions", 300, 8, 25),
    "four convolutions, boosted": row(boost_plan, True, "convolutions", 300, 8, 23),
}, ABOUT)


if __name__ == "__main__":
    TABLE.main()
