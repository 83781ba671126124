"""Import times against the interpreter's own `-X importtime`: the twenty dearest modules of `import tensorflow`.

Both measure the same start: the program is recorded under `-X importtime`, so that noise between runs cannot hide, or
make, a difference.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from harness import PYTHON, table, write_section

from firststep.analyse.facts import Facts
from firststep.analyse.import_tree import import_tree
from firststep.report.load import load

LINE = re.compile(r"^import time: +(\d+) \| +(\d+) \| +(\S+)$", re.M)
DEAREST = 20
LIMIT = 0.05


def interpreter_times(text):
    """Module -> (self, cumulative) microseconds, as -X importtime printed them; of two of a name, the dearer."""
    times = {}
    for own, cumulative, name in LINE.findall(text):
        times[name] = max(times.get(name, (0, 0)), (int(own), int(cumulative)))
    return times


def our_times(path):
    """The same from a trace. Library loads, compilation and collections, which we cut out, are put back."""
    times = {}
    for module in Facts(load(path))(import_tree).modules:
        own = module.self_ns + module.native_ns + module.compiled_ns + module.gc_ns
        times[module.name] = max(times.get(module.name, (0, 0)), (own // 1000, module.cumulative_ns // 1000))
    return times


def record(path):
    """Records the program under -X importtime, which prints to stderr; returns that."""
    command = [sys.executable, "-m", "firststep.cli", "record", "-o", path, "--",
               PYTHON, "-X", "importtime", "-c", "import tensorflow"]
    return subprocess.run(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, check=True).stderr


def compare(ours, theirs, which):
    """Rows of the dearest modules by one of the two times, and the largest difference."""
    dearest = sorted(theirs, key=lambda name: -theirs[name][which])[:DEAREST]
    off = {name: ours[name][which] / theirs[name][which] - 1 for name in dearest}
    rows = [[name, f"{theirs[name][which] / 1000:.1f} ms", f"{ours[name][which] / 1000:.1f} ms", f"{off[name]:+.1%}"]
            for name in dearest]
    return rows, max(map(abs, off.values()))


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.trace"
        theirs = interpreter_times(record(path))
        ours = our_times(path)
    lines, worst = [], 0.0
    for which, words in enumerate(("of its own", "with all that it imports")):
        rows, difference = compare(ours, theirs, which)
        worst = max(worst, difference)
        heading = ["module", "-X importtime", "firststep", "difference"]
        lines += [f"Dearest by time, {words}:", "", *table(heading, rows), ""]
    write_section("import agreement", "Import times against -X importtime", lines)
    sys.exit(f"a module differs by {worst:.1%}" if worst > LIMIT else 0)


if __name__ == "__main__":
    main()
