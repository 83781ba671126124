"""How long the tool itself takes over what it is asked: a saved trace reported and compared, a thousand files linted."""

import contextlib
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from harness import ZOO, Row, Table, middle, program, wall

from firststep.launch.session import Session
from firststep.model.plan import Plan
from firststep.model.read_trace import parse_trace

FIRSTSTEP = str(Path(sys.executable).with_name("firststep"))
FILES = 1000
HEADING = ["asked for", "median", "slowest", "of"]
ABOUT = "From spawn to exit of the command, output thrown away, the page cache warm. The traces were recorded right before, up to ready."


@contextlib.contextmanager
def two_traces(name):
    """(their files, what they are in words)"""
    with tempfile.TemporaryDirectory() as folder:
        files, words = [], []
        for number in range(2):
            text = Session(program(name), Plan(stop=True), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).run().trace
            trace = parse_trace(text)
            files.append(str(Path(folder, f"{number}.trace")))
            Path(files[-1]).write_text(text)
            seconds, spans = (trace.end - trace.spawned[0]) / 1e9, sum(len(process.spans) for process in trace.processes)
            words.append(f"{seconds:.1f} s ({spans:,} spans, {len(text) / 1e6:.1f} MB)")
        yield files, " and ".join(words)


def of_traces(goal, verb, many, *options, name="mobilenetv2"):
    def measure(runs):
        with two_traces(name) as (files, words):
            command = [FIRSTSTEP, verb, *files[:many], *options]
            return [goal, *times(command, runs), f"starts of {words}" if many == 2 else f"a start of {words.partition(' and ')[0]}"]

    return Row(measure, 10, 30, 1)


def of_files(goal, make):
    def measure(runs):
        with tempfile.TemporaryDirectory() as folder:
            words = make(Path(folder))
            return [goal, *times([FIRSTSTEP, "lint", folder], runs, ok=(0, 1)), words]

    return Row(measure, 5, 5, 10)


def times(command, runs, ok=(0,)):
    """(median, slowest) in words."""
    wall(command, ok)
    found = [wall(command, ok) for _ in range(runs)]
    return f"{middle(found):.2f} s", f"{max(found):.2f} s"


def zoo(folder):
    """Programs of the zoo, each many times, no two the same."""
    files = sorted(path for path in ZOO.rglob("*.py"))
    for number in range(FILES):
        (folder / f"program{number}.py").write_text(f"{files[number % len(files)].read_text()}# {number}\n")
    return f"{FILES:,} files, the zoo's {len(files)} over and over"


def keras(folder):
    """Keras's own source, which names itself in every file."""
    found = sorted(Path(sysconfig.get_paths()["purelib"], "keras").rglob("*.py"))[:FILES]
    for number, path in enumerate(found):
        (folder / str(number)).mkdir()
        shutil.copy(path, folder / str(number))
    return f"{len(found):,} files of Keras"


TABLE = Table("tool-times", "The tool's own times", HEADING, {
    "report of a saved trace": of_traces("≤ 1 s", "report", 1),
    "report as JSON": of_traces("not asked", "report", 1, "--json"),
    "report as a page": of_traces("not asked", "report", 1, "--html", "-"),
    "diff of two traces": of_traces("≤ 1 s", "diff", 2),
    "lint of 1,000 programs": of_files("≤ 10 s", zoo),
    "lint of 1,000 files of a library": of_files("≤ 10 s", keras),
}, ABOUT, of="runs")


if __name__ == "__main__":
    TABLE.main()
