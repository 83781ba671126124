"""Whether steps are as fast as plain ones after ready, by the program's own clock: under record, and boosted."""

import subprocess
import tempfile

from harness import PROGRAMS, PYTHON, Row, Table, between, interleaved, middle, ratio
from proving import own_cache

from firststep.boost.compose import boost_plan
from firststep.launch.session import Session
from firststep.model.plan import Plan

LEARNING_RUNS = 3
HEADING = ["asked for", "mean step, plain", "with / plain", "fastest tenth, plain", "with / plain"]
ABOUT = ("Steps after the twentieth, as the program's own clock has them (a callback of its own, on both sides). *Fastest tenth*: a "
         "tenth of a run's steps are faster; what else the machine does makes steps longer, and these the least. Plain runs have no agent.")


def step(plan, which, steps):
    """(mean, fastest tenth) in seconds; plan None: without an agent."""
    command = [PYTHON, str(PROGRAMS / "steady_steps.py"), which, str(steps)]
    with tempfile.TemporaryFile("w+") as printed:
        if plan is None:
            code = subprocess.run(command, stdout=printed, stderr=subprocess.DEVNULL).returncode
        else:
            code = Session(command, plan, stdout=printed.fileno(), stderr=subprocess.DEVNULL).run().exit_code
        printed.seek(0)
        text = printed.read()
    if code or "steps" not in text:
        raise RuntimeError(f"{' '.join(command)} ended with exit code {code}")
    mean, fast = text.rpartition("steps")[2].split()
    return float(mean), float(fast)


def row(make_plan, learns, which, steps, pairs, pair_s):
    def measure(pairs):
        with own_cache():
            plan = make_plan()
            for _ in range(LEARNING_RUNS if learns else 1):
                step(plan, which, steps)
            ones, others = interleaved(lambda: step(plan, which, steps), lambda: step(None, which, steps), pairs)
        cells = ["≤ 1.01"]
        for watched, plain in zip(zip(*ones), zip(*others)):
            cells += [f"{1000 * middle(plain):.3f} ms", between(ratio(watched, plain), "{:.3f}")]
        return cells

    return Row(measure, pairs, pair_s * 2 if learns else pair_s, pair_s)


TABLE = Table("steady-steps", "One step after ready", HEADING, {
    "MLP, recorded": row(Plan, False, "mlp", 2000, 8, 11),
    "MLP, boosted": row(boost_plan, True, "mlp", 2000, 8, 9),
    "four convolutions, recorded": row(Plan, False, "convolutions", 200, 4, 12),
    "four convolutions, boosted": row(boost_plan, True, "convolutions", 200, 4, 10),
}, ABOUT)


if __name__ == "__main__":
    TABLE.main()
