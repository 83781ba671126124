"""How long the tool itself takes over what it is asked: a trace reported and compared, files linted, the history listed, a page opened."""

import contextlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from harness import FIRSTSTEP, ZOO, Row, Table, middle, program, wall

from firststep import exit_codes
from firststep.check.self_test import FALSE_ALARMS, FOUND
from firststep.history import store
from firststep.launch.session import Session
from firststep.model.plan import Plan
from firststep.model.read_trace import parse_trace

FILES = 1000
GIGABYTE = 10**9
FIRST_PAINT = """() => new Promise((done) => {
  const look = () => {
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    paint ? done(paint.startTime) : requestAnimationFrame(look);
  };
  look();
})"""
PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
RUN = store.PastRun(1.7e9, "record", "train.py", "/home/me", "--size 4", "3.11.7", "tensorflow 2.21.0", "a machine, 2 CPUs", 8.5, "train",
                    0, False, {"imports": 2.5, "tracing": 1.5}, "/home/me/.local/state/firststep/traces/1.trace")
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


def times(command, runs, ok=(0,), **options):
    """(median, slowest) in words."""
    wall(command, ok, **options)
    return in_words([wall(command, ok, **options) for _ in range(runs)])


def in_words(found):
    """(median, slowest) of seconds."""
    return [f"{one:.2f} s" if one >= 0.2 else f"{one * 1000:.0f} ms" for one in (middle(found), max(found))]


def of_a_huge_trace(runs):
    """A file that goes on like a trace and is a gigabyte: what it takes to refuse it, in time and in memory."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "huge.trace")
        text = Session(program("import_tensorflow"), Plan(stop=True), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).run().trace
        head, _, rest = text.partition("\n")
        with path.open("w") as file:
            file.write(head + "\n")
            while file.tell() < GIGABYTE:
                file.write(rest)
        found = times([FIRSTSTEP, "report", str(path)], runs, ok=(exit_codes.CANNOT_READ,))
        done = subprocess.run([sys.executable, "-c", PEAK, FIRSTSTEP, "report", str(path)], capture_output=True, text=True, check=True)
    return ["refused, in bounds", *found, f"{int(done.stdout) / 1000:.0f} MB of memory at the most"]


def gates(runs):
    """What `firststep check` would say here of an identical program, and of one that is 10% slower."""
    with tempfile.TemporaryDirectory() as folder:
        command = json.dumps(program("import_tensorflow"))
        Path(folder, "firststep.toml").write_text(f"[programs.p]\ncommand = {command}\nuntil = 'exit'\n")
        done = subprocess.run([FIRSTSTEP, "check", "--self-test", "--runs", str(runs)], cwd=folder, capture_output=True, text=True)
    words = re.search(r"of \d+ gates drawn from .*", done.stdout + done.stderr)
    if not words:
        raise RuntimeError(done.stderr[-2000:])
    identical, slower = re.findall(r"(\d+) (?:called an identical|one that is)", words[0])
    return [f"≤ {FALSE_ALARMS:.0%}, ≥ {FOUND:.0%}", f"{identical}%, {slower}%", "", words[0]]


def version(runs):
    return ["≤ 80 ms", *times([FIRSTSTEP, "--version"], runs), "the command alone"]


def of_history(goal, *options):
    """Of a history that holds as many runs as are kept."""
    def measure(runs):
        with tempfile.TemporaryDirectory() as state:
            place = Path(state, "firststep", store.FILE)
            store.add(RUN, place)
            with contextlib.closing(sqlite3.connect(place)) as database, database:
                columns = store.COLUMNS.replace("at, ", "", 1)
                database.execute(f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {store.KEPT - 1}) "
                                 f"INSERT INTO runs (at, {columns}) SELECT at + i * 600, {columns} FROM runs, n")
                database.execute("UPDATE runs SET seconds = seconds + id % 97 / 100.0")
            environment = {**os.environ, "XDG_STATE_HOME": state}
            return [goal, *times([FIRSTSTEP, "history", *options], runs, env=environment), f"{store.KEPT:,} runs of one program"]

    return Row(measure, 10, 5, 1)


def size_of_page(runs):
    """Bytes: the same in every run."""
    with two_traces("mobilenetv2") as (files, words):
        page = subprocess.run([FIRSTSTEP, "report", files[0], "--html", "-"], capture_output=True, check=True).stdout
    return ["≤ 1.5 MB", f"{len(page) / 1e6:.2f} MB", "", f"a start of {words.partition(' and ')[0]}"]


def first_paint(runs):
    """From the navigation to the first contentful paint, as Chromium tells it."""
    from playwright.sync_api import sync_playwright

    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))))
    with two_traces("mobilenetv2") as (files, words), sync_playwright() as started:
        page = Path(files[0]).with_suffix(".html")
        subprocess.run([FIRSTSTEP, "report", files[0], "--html", page], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        found = []
        for _ in range(runs):
            shown = browser.new_page()
            shown.goto(page.as_uri())
            found.append(shown.evaluate(FIRST_PAINT) / 1000)
            shown.close()
        browser.close()
    return ["≤ 1 s", *in_words(found), f"headless Chromium, a start of {words.partition(' and ')[0]}"]


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
    "the page's size": Row(size_of_page, 1, 30, 1),
    "the page's first paint": Row(first_paint, 10, 30, 1),
    "diff of two traces": of_traces("≤ 1 s", "diff", 2),
    "lint of 1,000 programs": of_files("≤ 10 s", zoo),
    "lint of 1,000 files of a library": of_files("≤ 10 s", keras),
    "history, the newest": of_history("≤ 0.5 s"),
    "history --all": of_history("≤ 0.5 s", "--all"),
    "history --plot": of_history("not asked", "--plot"),
    "history --html": of_history("not asked", "--html", "-"),
    "a trace of 1 GB": Row(of_a_huge_trace, 3, 20, 1),
    "check: false alarms, and 10% found": Row(gates, 24, 5, 3),
    "the version": Row(version, 20, 1, 0.1),
}, ABOUT, of="runs")


if __name__ == "__main__":
    TABLE.main()
