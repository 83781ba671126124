"""`firststep prove --self-check` of the MLP, again and again: how often does it see what is not there?

With 97% intervals, 20 times should bring less than one false alarm on average.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from harness import Row, Table, program

TIMES = 20
HEADING = ["verdict", "A / A at ready", "ready", "CPUs that others took, at most"]


def self_check(pairs):
    """One comparison of the MLP with itself: its row."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "check.json"
        command = [sys.executable, "-m", "firststep.cli", "prove", "--self-check", "--runs", str(pairs), "--json", str(path)]
        subprocess.run([*command, "--", *program("keras_mlp")], stdout=subprocess.DEVNULL, check=False)
        document = json.loads(path.read_text())
    ready = document["metrics"][0]
    ratio = f"{ready['ratio']:.3f}" + (f" ({ready['low']:.3f} to {ready['high']:.3f})" if ready["high"] else "")
    busy = max(run["conditions"]["others"] for run in document["runs"])
    return [document["verdict"], ratio, f"{ready['plain']:.2f} s", f"{busy:.1f}"]


TABLE = Table("prove-self-check", "Prove: the MLP against itself", HEADING,
              {str(number): Row(self_check, 10, 8, 8) for number in range(1, TIMES + 1)})


if __name__ == "__main__":
    TABLE.main()
