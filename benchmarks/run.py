"""Runs every benchmark, one after the other, each writing its section of docs/benchmarks.md. Leave the machine alone meanwhile."""

import subprocess
import sys
from pathlib import Path

ORDER = ("record_cost", "unaccounted", "import_agreement", "tracing_agreement", "boost_table", "prove_self_check")


def main():
    folder = Path(__file__).parent
    failed = []
    for name in sys.argv[1:] or ORDER:
        print(f"== {name}", file=sys.stderr, flush=True)
        if subprocess.run([sys.executable, folder / f"{name}.py"]).returncode:
            failed.append(name)
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
