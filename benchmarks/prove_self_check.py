"""`firststep prove --self-check` of the MLP, again and again: how often does it see what is not there?

    python benchmarks/prove_self_check.py [TIMES [RUNS]]

With 97% intervals, 20 times should bring less than one false alarm on average.
"""

import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from harness import program, table, write_section

TIMES, RUNS = 20, 10


def self_check(runs, folder):
    """The JSON document of one comparison of the MLP with itself."""
    path = Path(folder) / "check.json"
    command = [sys.executable, "-m", "firststep.cli", "prove", "--self-check", "--runs", str(runs), "--json", str(path)]
    subprocess.run([*command, "--", *program("keras_mlp")], stdout=subprocess.DEVNULL, check=False)
    return json.loads(path.read_text())


def row(number, document):
    ready = document["metrics"][0]
    ratio = f"{ready['ratio']:.3f} ({ready['low']:.3f} to {ready['high']:.3f})"
    busy = max(run["conditions"]["others"] for run in document["runs"])
    return [str(number), document["verdict"], ratio, f"{ready['plain']:.2f} s", f"{busy:.1f}"]


def main(times=TIMES, runs=RUNS):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(1, int(times) + 1):
            rows.append(row(number, self_check(int(runs), folder)))
            print(" | ".join(rows[-1]), file=sys.stderr, flush=True)
    counts = ", ".join(f"{count} × {verdict}" for verdict, count in Counter(row[1] for row in rows).items())
    heading = ["", "verdict", f"A / A at ready ({runs} pairs, 97%)", "ready", "CPUs that others took, at most"]
    write_section("prove-self-check", "Prove: the MLP against itself", [f"{counts}.", "", *table(heading, rows)])


if __name__ == "__main__":
    main(*sys.argv[1:])
