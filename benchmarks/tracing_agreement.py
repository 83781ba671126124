"""Traces and their time against TensorFlow's own graph-building counter, which the agent reads at ready in the same process."""

import subprocess

from harness import Row, Table, program

from firststep.analyse.facts import Facts
from firststep.analyse.tracing import tracing
from firststep.launch.session import Session
from firststep.model.plan import Plan
from firststep.model.read_trace import parse_trace

PLAN = Plan(stop=True)
LIMIT_S = 600.0
HEADING = ["asked for", "traces", "TensorFlow's counter", "firststep", "difference"]


def row(name, seconds):
    def measure(_):
        outcome = Session(program(name), PLAN, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout_s=LIMIT_S).run()
        known = Facts(parse_trace(outcome.trace))(tracing)
        if known is None or not known.framework_ns:
            raise RuntimeError(f"{name}: {'nothing was traced' if known is None else 'the counter was not read'}")
        return ["within 5%", known.traces, f"{known.framework_ns / 1e6:.1f} ms", f"{known.ns / 1e6:.1f} ms",
                f"{known.ns / known.framework_ns - 1:+.2%}"]

    return Row(measure, 1, 0, seconds)


TABLE = Table("tracing agreement", "Tracing against TensorFlow's own counter", HEADING, {
    "keras_mlp": row("keras_mlp", 4),
    "gan": row("gan", 5),
    "retracing": row("retracing", 4),
    "raw_function_loop": row("raw_function_loop", 4),
    "bidirectional_lstm": row("bidirectional_lstm", 7),
    "load_and_predict_keras": row("load_and_predict_keras", 4),
    "resnet50": row("resnet50", 25),
}, of="starts")


if __name__ == "__main__":
    TABLE.main()
