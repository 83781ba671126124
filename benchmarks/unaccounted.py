"""The share of time to first step that nothing explains, for the programs of the zoo; phases must add up exactly."""

import argparse

from harness import ZOO, program, table, write_section

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.launch.session import Session
from firststep.model.plan import Plan
from firststep.model.read_trace import parse_trace

PLAN = Plan(stop=True)
LIMIT_S = 120.0


def programs():
    """Names of the zoo's programs, as their folder has them."""
    return sorted(str(path.relative_to(ZOO).with_suffix("")) for path in ZOO.rglob("*.py")
                  if not path.name.startswith("_") and path.name != "make_models.py")


def row(name):
    outcome = Session(program(name), PLAN, stdout=-3, stderr=-3, timeout_s=LIMIT_S).run()
    trace = parse_trace(outcome.trace)
    whole = Facts(trace)(partition)
    assert sum(whole.phases.values()) == whole.wall_ns, f"{name}: phases do not add up"
    unknown = whole.phases.get("unaccounted", 0)
    dearest = sorted(whole.phases.items(), key=lambda item: -item[1])[:3]
    ready = trace.ready
    return [name, ready.kind if ready else "exit", f"{whole.wall_ns / 1e9:.2f} s", f"{unknown / whole.wall_ns:.2%}",
            ", ".join(f"{phase} {ns / whole.wall_ns:.0%}" for phase, ns in dearest), len(outcome.trace) // 1000]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", nargs="*", default=programs())
    rows = []
    for name in parser.parse_args().programs:
        rows.append(row(name))
        print(*rows[-1], flush=True)
    heading = ["program", "ready by", "TTFS", "unaccounted", "dearest phases", "trace, kB"]
    write_section("unaccounted", "What nothing explains, over the zoo", list(table(heading, rows)))


if __name__ == "__main__":
    main()
