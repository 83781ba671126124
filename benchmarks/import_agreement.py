"""Import times against the interpreter's own `-X importtime`: the costliest modules of `import tensorflow`.

Both measure the same start: the program is recorded under `-X importtime`, so that noise between runs cannot hide, or
make, a difference.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from harness import PYTHON, Row, Table, middle

from firststep.analyse.facts import Facts
from firststep.analyse.import_tree import import_tree
from firststep.report.load import load

LINE = re.compile(r"^import time: +(\d+) \| +(\d+) \| +(\S+)$", re.M)
COSTLIEST = 20
HEADING = ["asked for", "median difference", "largest difference", "the costliest, and how far off"]


def interpreter_times(text):
    """Module -> (self, cumulative) microseconds, as -X importtime printed them; of two of a name, the costlier."""
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


def differences(ours, theirs, which):
    """Module -> (theirs, ours) in microseconds of one of the two times, for those that are costliest by it."""
    costliest = sorted(theirs, key=lambda name: -theirs[name][which])[:COSTLIEST]
    return {name: (theirs[name][which], ours[name][which]) for name in costliest}


def row(which):
    def measure(_):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.trace"
            theirs = interpreter_times(record(path))
            found = differences(our_times(path), theirs, which)
        off = {name: our / their - 1 for name, (their, our) in found.items()}
        worst = max(off, key=lambda name: abs(off[name]))
        costliest = ", ".join(f"{name} {their / 1000:.0f} ms ({off[name]:+.1%})" for name, (their, _) in list(found.items())[:5])
        return ["within 5%", f"{middle(list(map(abs, off.values()))):.1%}", f"{off[worst]:+.1%} ({worst})", costliest]

    return Row(measure, 1, 0, 6)


TABLE = Table("import agreement", "Import times against -X importtime", HEADING, {
    "of their own": row(0), "with all that they import": row(1),
}, f"The {COSTLIEST} costliest modules of `import tensorflow`, by both clocks in the same start.", of="starts")


if __name__ == "__main__":
    TABLE.main()
