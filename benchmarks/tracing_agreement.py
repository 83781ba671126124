"""Tracing times against TensorFlow's own graph-building counter, which the agent reads at ready in the same process."""

import sys
from subprocess import DEVNULL

from harness import program, table, write_section

from firststep.analyse.facts import Facts
from firststep.analyse.tracing import tracing
from firststep.launch.session import Session
from firststep.model.plan import Plan
from firststep.model.read_trace import parse_trace

PROGRAMS = ("keras_mlp", "gan", "retracing", "raw_function_loop", "bidirectional_lstm", "load_and_predict_keras")
LIMIT = 0.05


def main():
    rows, worst = [], 0.0
    for name in PROGRAMS:
        outcome = Session(program(name), Plan(stop=True), stdout=DEVNULL, stderr=DEVNULL, timeout_s=600).run()
        known = Facts(parse_trace(outcome.trace))(tracing)
        off = known.ns / known.framework_ns - 1
        worst = max(worst, abs(off))
        counted, seen = known.framework_ns / 1e6, known.ns / 1e6
        rows.append([name, known.traces, f"{counted:.1f} ms", f"{seen:.1f} ms", f"{off:+.2%}"])
        print(*rows[-1], flush=True)
    heading = ["program", "traces", "TensorFlow's counter", "firststep", "difference"]
    write_section("tracing agreement", "Tracing times against TensorFlow's own counter", list(table(heading, rows)))
    sys.exit(f"a program differs by {worst:.1%}" if worst > LIMIT else 0)


if __name__ == "__main__":
    main()
