"""What firststep costs by itself: its agent in a program that it can do nothing for, and the tool's own start."""

import subprocess
import sys
import time

from harness import FIRSTSTEP, PROGRAMS, PYTHON, Row, Table, between, difference, interleaved, middle, program, wall
from proving import own_cache

from firststep.boost.compose import boost_plan
from firststep.launch.session import Session
from firststep.model.plan import OBSERVE_READY, Plan
from firststep.model.read_trace import parse_trace

NOTHING = [PYTHON, str(PROGRAMS / "nothing.py")]
LEARNING_RUNS = 3
HEADING = ["asked for", "without", "with", "cost", "the agent's start alone"]
ABOUT = ("Spawn to exit of a program that imports nothing and does nothing, under Python alone and with the agent, in turn. "
         "With a cache, the cache has learned `import tensorflow` (or another program of the same environment): what boost reads and "
         "checks before the program's first line is part of it. What it does instead of Python's or TensorFlow's own work is part "
         "of the other tables. *The agent's start*: from its first line to the program's first. "
         "The commands: beside a Python that does nothing, and beside `true`.")


def started(plan, starts):
    """Seconds from spawn to exit under a plan; notes how long the agent's own start took."""
    trace = parse_trace(Session(NOTHING, plan, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).run().trace)
    entered, done = trace.processes[0].agent
    starts.append((done - entered) / 1e9)
    return (int(trace.header["ended"]) - trace.spawned[0]) / 1e9


def cells(goal, ones, others, starts=()):
    cost = difference([1000 * each for each in ones], [1000 * each for each in others])
    return [goal, f"{1000 * middle(others):.1f} ms", f"{1000 * middle(ones):.1f} ms", between(cost, "{:.1f}") + " ms",
            f"{1000 * middle(starts):.1f} ms" if starts else "–"]


def under(goal, make_plan, learns=None):
    """measure() of a row; learns: the zoo program that fills the cache before."""

    def measure(pairs):
        with own_cache():
            plan, starts = make_plan(), []
            for _ in range(LEARNING_RUNS if learns else 0):
                Session(program(learns), plan, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).run()
            started(plan, [])
            ones, others = interleaved(lambda: started(plan, starts), lambda: wall(NOTHING), pairs)
        return cells(goal, ones, others, starts)

    return measure


def command(goal, words, plain):
    """measure() of a row: the installed command against another."""

    def measure(pairs):
        with own_cache():
            till_exit([FIRSTSTEP, *words])
            ones, others = interleaved(lambda: till_exit([FIRSTSTEP, *words]), lambda: till_exit(plain), pairs)
        return cells(goal, ones, others)

    return measure


def till_exit(words):
    """Seconds from spawn to exit; returns when those that it left beside it have ended as well."""
    began = time.monotonic()
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        code, took = process.wait(), time.monotonic() - began
        said = process.stderr.read()
    if code:
        raise RuntimeError(f"{' '.join(words)} failed: {said.decode()[-2000:]}")
    return took


TABLE = Table("own-cost", "What firststep itself costs", HEADING, {
    "ready probe alone": Row(under("", lambda: Plan(observe=OBSERVE_READY)), 40, 2, 0.2),
    "record's agent": Row(under("start ≤ 5 ms", Plan), 40, 2, 0.2),
    "boost, empty cache": Row(under("≤ 20 ms", boost_plan), 40, 2, 0.2),
    "boost, cache of `import tensorflow`": Row(under("≤ 20 ms", boost_plan, "import_tensorflow"), 40, 12, 0.2),
    "boost, cache of the MLP": Row(under("≤ 20 ms", boost_plan, "keras_mlp"), 40, 14, 0.2),
    "`firststep --version`": Row(command("≤ 80 ms with", ["--version"], [sys.executable, "-c", ""]), 40, 2, 0.2),
    "`firststep boost -- true`": Row(command("≤ 60 ms with", ["boost", "--", "true"], ["true"]), 40, 2, 0.5),
}, ABOUT)


if __name__ == "__main__":
    TABLE.main()
