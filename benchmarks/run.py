"""Runs benchmarks, one after the other, each writing its rows of docs/benchmarks.md. Leave the machine alone meanwhile.

    python benchmarks/run.py                        all of them
    python benchmarks/run.py --list                 which there are, and what each takes
    python benchmarks/run.py boost_table peers      some
    python benchmarks/boost_table.py 'MLP fit'      one row
"""

import argparse
import importlib
import subprocess
import sys
from pathlib import Path

import readme

TIMED = ("boost_table", "peers", "depth", "function_cost", "proof_cost", "own_cost", "learning_run", "cold_start", "record_cost",
         "steady_steps", "versions", "import_agreement", "tracing_agreement", "prove_self_check", "foreseen", "tool_times")
SHARES = ("steady_instructions", "unaccounted", "hits")  # no times are compared: these may run beside other work
ORDER = (*TIMED, *SHARES)


def listed(name):
    """Lines of a benchmark: its rows, and what each takes."""
    table = importlib.import_module(name).TABLE
    yield f"{sum(row.seconds() for row in table.rows.values()) / 60:5.1f} min  {name}: {table.title}"
    yield from (f"      {line}" for line in table.listed())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: all")
    options = parser.parse_args()
    names = options.names or ORDER
    if unknown := set(names) - set(ORDER):
        parser.error(f"no benchmark is called {', '.join(sorted(unknown))}")
    folder = Path(__file__).parent
    if options.list:
        print("\n".join(line for name in names for line in listed(name)))
        return
    failed = []
    for name in names:
        print(f"== {name}", file=sys.stderr, flush=True)
        if subprocess.run([sys.executable, folder / f"{name}.py"]).returncode:
            failed.append(name)
    readme.write()
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
