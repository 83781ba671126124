"""Whether steps are as fast as plain ones after ready, by the program's own clock: under record, and boosted."""

import subprocess
import tempfile

from harness import PROGRAMS, PYTHON, Row, Table, between, interleaved, middle, ratio
from proving import own_cache

from firststep.boost.compose import boost_plan
from firststep.launch.session import Session
from firststep.model.plan import Plan

LEARNING_RUNS = 3
HEADING = ["asked for", "plain", "with", "with / plain"]
ABOUT = ("The mean step after the twentieth, as the program's own clock has it (a callback of its own, on both sides). "
         "Plain runs are without any agent.")


def mean_step(plan, which, steps):
    """Seconds; plan None: without an agent."""
    command = [PYTHON, str(PROGRAMS / "steady_steps.py"), which, str(steps)]
    with tempfile.TemporaryFile("w+") as printed:
        if plan is None:
            code = subprocess.run(command, stdout=printed, stderr=subprocess.DEVNULL).returncode
        else:
            code = Session(command, plan, stdout=printed.fileno(), stderr=subprocess.DEVNULL).run().exit_code
        printed.seek(0)
        text = printed.read()
    if code or "mean step" not in text:
        raise RuntimeError(f"{' '.join(command)} ended with exit code {code}")
    return float(text.rpartition("mean step")[2])


def row(make_plan, learns, which, steps, pairs, pair_s):
    def measure(pairs):
        with own_cache():
            plan = make_plan()
            for _ in range(LEARNING_RUNS if learns else 1):
                mean_step(plan, which, steps)
            ones, others = interleaved(lambda: mean_step(plan, which, steps), lambda: mean_step(None, which, steps), pairs)
        return ["≤ 1.01", f"{1000 * middle(others):.3f} ms", f"{1000 * middle(ones):.3f} ms", between(ratio(ones, others), "{:.3f}")]

    return Row(measure, pairs, pair_s * 2 if learns else pair_s, pair_s)


TABLE = Table("steady-steps", "One step after ready", HEADING, {
    "MLP, recorded": row(Plan, False, "mlp", 2000, 5, 11),
    "MLP, boosted": row(boost_plan, True, "mlp", 2000, 6, 9),
    "four convolutions, recorded": row(Plan, False, "convolutions", 200, 4, 12),
    "four convolutions, boosted": row(boost_plan, True, "convolutions", 200, 4, 10),
}, ABOUT)


if __name__ == "__main__":
    TABLE.main()
