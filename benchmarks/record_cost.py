"""What recording costs: spawn to exit of programs that exit at their first step, with and without."""

import argparse

from harness import interleaved, program, ratio, table, wall, write_section

from firststep.launch.session import Session
from firststep.model.plan import Plan
from firststep.model.read_trace import parse_trace

PROGRAMS = {
    "import_tensorflow": (),
    "keras_mlp": ("--steps", 1, "--epochs", 1),
    "resnet50": ("--steps", 1),
    "ten_million_calls": ("--steps", 1),
}
PLAN = Plan()


def recorded(command, costs):
    outcome = Session(command, PLAN, stdout=-3, stderr=-3).run()
    trace = parse_trace(outcome.trace)
    (process, *_) = trace.processes
    lasted = int(trace.header["ended"]) - trace.spawned[0]
    costs.append((process.counters.get("sampler_cpu_ns", 0) / lasted, len(outcome.trace), lasted / 1e9,
                  (process.agent[1] - process.agent[0]) / 1e6))
    return lasted / 1e9


def row(name, arguments, pairs):
    command = program(name, *arguments)
    wall(command)  # warms the page cache and the bytecode
    costs = []
    with_it, without = interleaved(lambda: recorded(command, costs), lambda: wall(command), pairs)
    cost = ratio(with_it, without)
    middle = sorted(costs)[len(costs) // 2]
    return [name, f"{sorted(without)[len(without) // 2]:.2f} s", f"{cost.mid:.3f}", f"{cost.low:.3f}–{cost.high:.3f}",
            f"{100 * middle[0]:.2f}%", f"{max(load for *_, load in costs):.1f} ms",
            f"{max(size / seconds for _, size, seconds, _ in costs) * 10 / 1e6:.1f} MB", pairs]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=12)
    parser.add_argument("programs", nargs="*", default=list(PROGRAMS))
    options = parser.parse_args()
    rows = [row(name, PROGRAMS[name], options.pairs) for name in options.programs]
    heading = ["program", "plain", "recorded / plain", "95% interval", "sampler's CPU", "agent loads in (worst)",
               "trace per 10 s (worst)", "pairs"]
    write_section("record-cost", "Cost of recording", [*table(heading, rows)])


if __name__ == "__main__":
    main()
