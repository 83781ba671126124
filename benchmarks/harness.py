"""What the benchmarks share: zoo programs, interleaved pairs, and tables of a page in docs of which each row can be measured alone.

FIRSTSTEP_BENCH_PYTHON names the interpreter that has TensorFlow (default: this one).
FIRSTSTEP_BENCH_PAGE names another page than the one in docs, to try a benchmark out.
"""

import argparse
import os
import re
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from firststep.launch import host
from firststep.prove.statistics import as_ratio, interval, log_ratios

ROOT = Path(__file__).parents[1]
PYTHON = os.environ.get("FIRSTSTEP_BENCH_PYTHON", sys.executable)
ZOO = ROOT / "zoo"
PROGRAMS = Path(__file__).parent / "programs"
FIRSTSTEP = str(Path(sys.executable).with_name("firststep"))  # as it is installed
CONFIDENCE = 0.97  # of every interval, as in `firststep prove`
TITLE = """# Benchmarks

Ratios of interleaved runs, each with the interval that holds the true one in 97 of 100 experiments; a time alone means little.
Every row says when it was measured, and at which commit (`+`: with changes).

Written by `make bench`, on an idle machine. `python benchmarks/run.py --list` says what there is to measure and how long it takes;
each benchmark, and each row of one, can be measured alone: `python benchmarks/boost_table.py 'MLP fit'`. The other backends of Keras
are measured where `FIRSTSTEP_BENCH_TORCH` and `FIRSTSTEP_BENCH_JAX` name interpreters that have them.
"""
VERSIONS = """
import sys
from importlib import metadata
wanted = {"tensorflow", "tensorflow-cpu", "keras", "tf-keras", "numpy"}
named = {d.metadata["Name"].lower().replace("_", "-"): d.version for d in metadata.distributions()}
print("Python " + ", ".join([sys.version.split()[0], *(f"{name} {named[name]}" for name in sorted(wanted & set(named)))]))
"""


@dataclass(frozen=True)
class Page:
    """A page that is written row by row. head: what stands above its sections."""

    file: Path
    head: str

    @property
    def path(self):
        return Path(os.environ.get("FIRSTSTEP_BENCH_PAGE") or self.file)

    def text(self):
        return self.path.read_text() if self.path.exists() else ""

    def section(self, key):
        """The lines that stand in the page under `key`."""
        found = _pattern(key).search(self.text())
        return found.group().splitlines() if found else []

    def write_section(self, key, title, lines, dated=True):
        """Replaces the section `key` of the page, or adds it, headed by the machine and the versions."""
        head = [machine(), "", f"Measured {measured()}.", ""] if dated else [machine(), ""]
        text = "\n".join([f"<!-- {key} -->", f"## {title}", "", *head, *lines, "", f"<!-- end {key} -->"])
        _, mark, sections = self.text().partition("<!-- ")
        page = f"{self.head}\n{mark}{sections}".rstrip("\n") + "\n"
        page = _pattern(key).sub(lambda _: text, page) if self.section(key) else f"{page}\n{text}\n"
        self.path.write_text(page)
        if dated:
            print(text, flush=True)


BENCHMARKS = Page(ROOT / "docs" / "benchmarks.md", TITLE)


@dataclass(frozen=True)
class Row:
    """measure(pairs) gives the cells after the title. Seconds are estimates on two CPUs: before the first pair, and a pair."""

    measure: Callable[[int], list]
    pairs: int
    before_s: float
    pair_s: float

    def seconds(self, pairs=None):
        return self.before_s + self.pair_s * (pairs or self.pairs)


@dataclass(frozen=True)
class Table:
    """A section of the page. about: lines above the table; rows: in the order of the page, by title; of: what is counted."""

    key: str
    title: str
    heading: list
    rows: dict
    about: str = ""
    of: str = "pairs"
    page: Page = BENCHMARKS

    def main(self):
        """The command line of a benchmark. A row that fails leaves the page's old one; the exit code tells."""
        parser = argparse.ArgumentParser(description=self.title)
        parser.add_argument("--pairs", type=int, help=f"{self.of} of each row (default: the row's own number)")
        parser.add_argument("--list", action="store_true", help="only say which rows there are, and what each takes")
        parser.add_argument("titles", nargs="*", metavar="ROW", help="default: all")
        options = parser.parse_args()
        unknown = set(options.titles) - set(self.rows)
        if unknown:
            parser.error(f"no row is called {', '.join(sorted(unknown))}; --list shows them")
        if options.list:
            print("\n".join(self.listed(options.pairs)))
            return
        failed = [title for title in options.titles or self.rows if not self.measured(title, options.pairs)]
        sys.exit(f"failed: {', '.join(failed)}" if failed else 0)

    def listed(self, pairs=None):
        """A line a row: what it takes."""
        for title, row in self.rows.items():
            yield f"{row.seconds(pairs):6.0f} s  {pairs or row.pairs:3} {self.of}  {title}"

    def measured(self, title, pairs=None):
        """Measures one row and writes it. Returns whether that went well."""
        row = self.rows[title]
        began = time.monotonic()
        print(f"{title}: about {row.seconds(pairs):.0f} s", file=sys.stderr, flush=True)
        try:
            cells = row.measure(pairs or row.pairs)
        except Exception:
            traceback.print_exc()
            return False
        self._merge(title, [*cells, pairs or row.pairs, measured()])
        print(f"{title}: took {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
        return True

    def _merge(self, title, cells):
        """Puts one row among those that stand in the page under the same heading, on this machine and these versions."""
        heading = _line(["", *self.heading, self.of, "measured"])
        old = self.page.section(self.key)
        known = {}
        if heading in old and machine() in old:
            known = {line.split(" | ")[0].removeprefix("| "): line for line in old if line.startswith("| ")}
        known[title] = _line([title, *cells])
        lines = [known[each] for each in self.rows if each in known]
        about = [self.about, ""] if self.about else []
        self.page.write_section(self.key, self.title, [*about, heading, _rule(heading), *lines], dated=False)
        print(known[title], flush=True)


def program(name, *arguments):
    """The command line of a zoo program."""
    return [PYTHON, str(ZOO / f"{name}.py"), *map(str, arguments)]


def interleaved(first, second, pairs):
    """What first() and second() return (seconds), in turn, the order of each pair the other way round."""
    ones, others = [], []
    for number in range(pairs):
        for run, into in [(first, ones), (second, others)][:: 1 if number % 2 == 0 else -1]:
            into.append(run())
            print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return ones, others


def ratio(ones, others):
    """first / second with its interval."""
    return as_ratio(interval(log_ratios(ones, others), 1 - CONFIDENCE))


def difference(ones, others):
    """first - second, in their unit, with its interval."""
    return interval([one - other for one, other in zip(ones, others, strict=True)], 1 - CONFIDENCE)


def between(estimate, form="{:.2f}"):
    """An estimate and its interval as a cell; without one where the pairs are too few."""
    mid, low, high = (form.format(value) for value in (estimate.mid, estimate.low, estimate.high))
    return mid if "inf" in high else f"{mid} ({low} to {high})"


def middle(values):
    """The median, of an even number the upper one."""
    return sorted(values)[len(values) // 2]


def wall(command, ok=(0,), **options):
    """Seconds from spawn to exit of a command that must succeed. ok: exit codes of success."""
    began = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **options)
    took = time.monotonic() - began
    if done.returncode not in ok:
        raise RuntimeError(f"{' '.join(command)} failed: {done.stderr.decode()[-2000:]}")
    return took


def measured():
    """The day and the commit."""
    day = time.strftime("%Y-%m-%d", time.gmtime())
    commit = git("rev-parse", "--short", "HEAD")
    return f"{day}, {commit}{'+' if git('status', '--porcelain', 'src') else ''}" if commit else day


def git(*words):
    """What git says of this checkout; nothing where it fails."""
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout.strip()


def machine():
    """The machine, Python and the frameworks, as one line."""
    facts = host.describe()
    versions = subprocess.run([PYTHON, "-c", VERSIONS], capture_output=True, text=True, check=True).stdout.strip()
    return (f"*{facts['cpu']}, {facts['usable_cpus']} CPUs, {int(facts['memory']) / 2**30:.0f} GiB, "
            f"{facts['system']} {facts['machine']}; {versions}*")


def _pattern(key):
    return re.compile(rf"<!-- {key} -->.*?<!-- end {key} -->", re.S)


def table(heading, rows):
    """Lines of a Markdown table."""
    yield _line(heading)
    yield _rule(_line(heading))
    yield from map(_line, rows)


def _line(cells):
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def _rule(heading):
    return "|" + "---|" * (heading.count("|") - 1)
