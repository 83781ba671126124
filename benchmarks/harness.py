"""What the benchmarks share: interleaved pairs of runs, and one section of docs/benchmarks.md each.

FIRSTSTEP_BENCH_PYTHON names the interpreter that has TensorFlow (default: this one).
"""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

from firststep.launch import host
from firststep.prove.statistics import as_ratio, interval, log_ratios

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "benchmarks.md"
PYTHON = os.environ.get("FIRSTSTEP_BENCH_PYTHON", sys.executable)
ZOO = ROOT / "zoo"
TITLE = """# Benchmarks

Written by `make bench`. Ratios of interleaved runs; a time alone means little.
"""
VERSIONS = """
import sys
from importlib import metadata
wanted = {"tensorflow", "tensorflow-cpu", "keras", "tf-keras", "numpy"}
named = {d.metadata["Name"].lower().replace("_", "-"): d.version for d in metadata.distributions()}
print("Python", sys.version.split()[0], *[f", {name} {named[name]}" for name in sorted(wanted & set(named))], sep=" ")
"""


def program(name, *arguments):
    """The command line of a zoo program."""
    return [PYTHON, str(ZOO / f"{name}.py"), *map(str, arguments)]


def interleaved(first, second, pairs):
    """Seconds that first() and second() return, in turn, the order of each pair the other way round."""
    ones, others = [], []
    for number in range(pairs):
        for run, into in [(first, ones), (second, others)][:: 1 if number % 2 == 0 else -1]:
            into.append(run())
            print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return ones, others


def ratio(ones, others, alpha=0.05):
    """first / second with its interval at confidence 1 - alpha."""
    return as_ratio(interval(log_ratios(ones, others), alpha))


def wall(command, **options):
    """Seconds from spawn to exit of a command that must succeed."""
    began = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **options)
    took = time.monotonic() - began
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed: {done.stderr.decode()[-2000:]}")
    return took


def versions():
    """Python and the frameworks, as one line."""
    return subprocess.run([PYTHON, "-c", VERSIONS], capture_output=True, text=True, check=True).stdout.strip()


def write_section(key, title, lines):
    """Replaces the section `key` of the page, or adds it, headed by the machine, the versions and the date."""
    facts = host.describe()
    gib = int(facts["memory"]) / 2**30
    head = (f"*{time.strftime('%Y-%m-%d', time.gmtime())}; {facts['cpu']}, {facts['usable_cpus']} CPUs, {gib:.0f} GiB, "
            f"{facts['system']} {facts['machine']}; {versions()}*")
    section = "\n".join([f"<!-- {key} -->", f"## {title}", "", head, "", *lines, "", f"<!-- end {key} -->"])
    page = PAGE.read_text() if PAGE.exists() else TITLE
    pattern = re.compile(rf"<!-- {key} -->.*?<!-- end {key} -->", re.S)
    page = pattern.sub(lambda _: section, page) if pattern.search(page) else page.rstrip("\n") + "\n\n" + section + "\n"
    PAGE.write_text(page)
    print(section)


def table(heading, rows):
    """Lines of a Markdown table."""
    yield "| " + " | ".join(heading) + " |"
    yield "|" + "---|" * len(heading)
    for row in rows:
        yield "| " + " | ".join(str(cell) for cell in row) + " |"
