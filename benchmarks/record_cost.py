"""What recording costs: spawn to exit of programs that exit at their first step, with and without."""

import subprocess

from harness import Row, Table, between, interleaved, middle, program, ratio, wall

from firststep.launch.session import Session
from firststep.model.plan import Plan
from firststep.model.read_trace import parse_trace

PLAN = Plan()
HEADING = ["asked for", "plain", "recorded / plain", "agent's CPU time", "agent loads in (worst)", "trace per 10 s (worst)"]
ABOUT = ("From spawn to exit. *Agent's CPU time*: its sampling thread's and its loading, as a share of the program's wall time; asked for "
         "is at most 1.5%. It is to load in 5 ms, and to write at most 5 MB for a start of 10 s.")


def recorded(command, costs):
    outcome = Session(command, PLAN, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).run()
    trace = parse_trace(outcome.trace)
    (process, *_) = trace.processes
    lasted = int(trace.header["ended"]) - trace.spawned[0]
    load = process.agent[1] - process.agent[0]
    costs.append(((process.counters.get("sampler_cpu_ns", 0) + load) / lasted, len(outcome.trace), lasted / 1e9, load / 1e6))
    return lasted / 1e9


def row(pairs, pair_s, name, *arguments):
    def measure(pairs):
        command = program(name, *arguments)
        wall(command)  # warms the page cache and the bytecode
        costs = []
        with_it, without = interleaved(lambda: recorded(command, costs), lambda: wall(command), pairs)
        return ["≤ 1.05 at the upper end", f"{middle(without):.2f} s", between(ratio(with_it, without), "{:.3f}"),
                f"{100 * middle([cpu for cpu, *_ in costs]):.2f}%", f"{max(load for *_, load in costs):.1f} ms",
                f"{max(size / seconds for _, size, seconds, _ in costs) * 10 / 1e6:.1f} MB"]

    return Row(measure, pairs, pair_s / 2, pair_s)


TABLE = Table("record-cost", "Cost of recording", HEADING, {
    "import tensorflow": row(40, 6, "import_tensorflow"),
    "MLP fit": row(40, 7, "keras_mlp", "--steps", 1, "--epochs", 1),
    "ResNet50 fit": row(6, 45, "resnet50", "--steps", 1),
    "ten million calls": row(40, 8, "ten_million_calls", "--steps", 1),
}, ABOUT)


if __name__ == "__main__":
    TABLE.main()
