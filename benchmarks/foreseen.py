"""What the report foresees of each automatic remedy, against what interleaved runs with that remedy alone measure.

    python benchmarks/foreseen.py [PROGRAM ...]

For each program: one recorded start, the gain of each remedy foreseen from its findings, and of all together; then pairs of a
plain run and one with the remedy, after a run that learns. A row is right where both differ by at most 30% or 100 ms.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from firststep.analyse.facts import Facts
from firststep.analyse.what_if import saved
from firststep.boost.compose import boost_plan
from firststep.diagnose import diagnosis
from firststep.launch.session import Session
from firststep.model.plan import OBSERVE_READY, Plan
from firststep.model.read_trace import parse_trace

PROGRAMS = ("zoo/keras_mlp.py", "zoo/text_transformer.py", "zoo/raw_function_loop.py", "zoo/load_and_predict_resnet.py")
PAIRS = 6
CLOSE, CLOSE_MS = 0.3, 100.0
ALL = "all of boost"


def ready_ms(program: str, plan: Plan) -> float:
    """Of one run, which is stopped at ready."""
    ended = Session([sys.executable, program], replace(plan, stop=True), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).run()
    trace = parse_trace(ended.trace)
    return (trace.end - trace.spawned[0]) / 1e6


def foreseen(program: str) -> dict[str, float]:
    """remedy -> milliseconds, by the walk of a recorded start without all that the remedy removes."""
    ended = Session([sys.executable, program], Plan(stop=True), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).run()
    facts = Facts(parse_trace(ended.trace))
    findings = [one for one in facts(diagnosis).findings if not one.after_ready]
    remedies = sorted({remedy for one in findings for remedy in one.remedies})
    gains = {name: saved(facts, [cut for one in findings if name in one.remedies for cut in one.cuts]) for name in remedies}
    return {name: gain.middle_ns / 1e6 for name, gain in {**gains, ALL: facts(diagnosis).boosted}.items()}


def measured(program: str, remedy: str) -> float:
    """Milliseconds that the median pair differs by."""
    treated = replace(boost_plan(only=() if remedy == ALL else (remedy,)), observe=OBSERVE_READY)
    plain = Plan(observe=OBSERVE_READY)
    ready_ms(program, replace(treated, stop=False))  # it learns
    return statistics.median(ready_ms(program, plain) - ready_ms(program, treated) for _ in range(PAIRS))


def main() -> None:
    for program in sys.argv[1:] or PROGRAMS:
        for remedy, expected in foreseen(program).items():
            with tempfile.TemporaryDirectory() as cache:
                os.environ["FIRSTSTEP_CACHE"] = str(Path(cache, "cache"))
                seen = measured(program, remedy)
            verdict = "right" if abs(seen - expected) <= max(CLOSE_MS, CLOSE * abs(seen)) else "WRONG"
            print(f"{program}  {remedy:26} foreseen {expected:7.0f} ms, measured {seen:7.0f} ms  {verdict}", flush=True)


if __name__ == "__main__":
    main()
