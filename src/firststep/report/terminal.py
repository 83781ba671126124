"""The report on one screen: time to first step, what it was made of, and the lines that cost most."""

from __future__ import annotations

import shlex
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import IO, TYPE_CHECKING

from firststep.analyse import phases
from firststep.analyse.activity import activity
from firststep.analyse.agent_cost import agent_cost
from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.processes import processes, unwatched
from firststep.analyse.source_lines import source_lines
from firststep.model.trace import Trace
from firststep.printable import console as printable_console
from firststep.printable import one_line
from firststep.report.details import detail
from firststep.report.places import short_place, source
from firststep.report.wording import TimeScale, add_up, count, duration

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

WIDTH = 80  # of a report that does not go to a terminal
WIDEST = 120
BAR = 10
BLOCK = "█"
PLAIN = {BLOCK: "#", "±": "+-", "…": "~"}  # for terminals that have only ASCII
MATTERS = 0.01  # of the whole: a phase below that is only named among the others
STARVED = 0.1  # of the whole without a CPU: worth a warning
LINES = 10
LINE_MATTERS = 0.005
SHORT = {phases.NETWORK: "network & services"}
COLOURS = {phases.USER: "green", phases.UNACCOUNTED: "red", phases.LIBRARIES: "yellow"}
READY_WORDS = {
    "train": "the end of its first training step",
    "predict": "its first prediction",
    "exit": "its exit",
    "port": "an answer on port {label}",
    "http": "an answer from {label}",
    "line": "the line {label!r}",
    "mark": "the mark {label!r}",
}


def print_report(trace: Trace, file: IO[str]) -> None:
    """Prints the report to `file`, in colour only where `file` is a terminal that wants it."""
    console = printable_console(file, markup=False)
    console.width = min(console.width, WIDEST) if file.isatty() else WIDTH
    with console.capture() as captured:
        _print_all(console, Facts(trace))
    text = "\n".join(line.rstrip() for line in captured.get().split("\n"))
    file.write(_writable(text, console.encoding))


def _writable(text: str, encoding: str) -> str:
    """The text in characters that the encoding has."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        for character, plain in PLAIN.items():
            text = text.replace(character, plain)
        return text.encode(encoding, "replace").decode(encoding)
    return text


def _print_all(console: Console, facts: Facts) -> None:
    console.print()
    _print_head(console, facts)
    console.print(_phases(facts))
    rows = list(_source_rows(facts))
    if rows:
        console.print("lines of your program that cost most, each with all that it calls", style="bold")
        console.print(_lines(rows))
    _print_foot(console, facts)


def _print_head(console: Console, facts: Facts) -> None:
    from rich.text import Text

    trace, whole = facts.trace, facts(partition)
    time = TimeScale(whole.wall_ns).time(whole.wall_ns)
    low, high = trace.spawned
    console.print(Text.assemble(("firststep", "bold"), "  ", (time, "bold cyan"), f" from start to {_ready(trace)}"))
    command = shlex.join(map(str, trace.header.get("command", ())))
    console.print(Text("  " + one_line(command), style="dim"), no_wrap=True, overflow="ellipsis")
    _note(console, f"{_machine(trace)}; start known to ±{duration((high - low) // 2)}")


def _ready(trace: Trace) -> str:
    if trace.ready is None:
        code = trace.header.get("exit_code")
        return "its end" + ("" if code is None else f" (exit code {code})") + "; it never became ready"
    return one_line(READY_WORDS[trace.ready.kind].format(label=trace.ready.label))


def _machine(trace: Trace) -> str:
    host = trace.header.get("host", {})
    python = str(trace.processes[0].header.get("python", "")).split()[:1] if trace.processes else []
    cpus = host.get("cpu_quota") or host.get("usable_cpus") or host.get("cpus")
    words = [
        f"Python {python[0]}" if python else "no Python process was watched",
        f"{cpus:g} CPUs" if cpus else "",
        str(host.get("cpu") or host.get("machine") or ""),
        f"load {host['load'][0]:.1f}" if host.get("load") else "",
    ]
    return ", ".join(word for word in words if word)


def _phases(facts: Facts) -> Table:
    from rich.table import Table
    from rich.text import Text

    whole = facts(partition)
    scale = TimeScale(whole.wall_ns)
    table = Table(box=None, show_header=False, padding=(0, 1, 0, 0), pad_edge=False, expand=True)
    table.add_column(width=20)
    table.add_column(width=8, justify="right")
    table.add_column(width=BAR)
    table.add_column(ratio=1)
    rows, small = _rows(whole.phases, whole.wall_ns)
    steps = add_up(dict([*rows, *small]), scale)
    longest = max(steps[name] for name, _ in rows) or 1
    for name, _ in rows:
        length = max(1, round(steps[name] / longest * BAR)) if steps[name] else 0
        bar = Text(BLOCK * length, style=COLOURS.get(name, "cyan"))
        table.add_row("  " + SHORT.get(name, name), scale.text(steps[name]), bar, Text(one_line(detail(facts, name))))
    if small:
        names = ", ".join(SHORT.get(name, name) for name, _ in small)
        total = scale.text(sum(steps[name] for name, _ in small))
        table.add_row("  the rest", total, "", Text(names, style="dim"))
    return table


def _rows(times: Mapping[str, int], wall: int) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """Phases that mattered, dearest first with `unaccounted` last, and the small others."""
    unaccounted = (phases.UNACCOUNTED, times[phases.UNACCOUNTED])
    named = [(name, ns) for name, ns in times.items() if ns and name != phases.UNACCOUNTED]
    named.sort(key=lambda row: -row[1])
    rows = [row for row in named if row[1] >= wall * MATTERS]
    return [*rows, unaccounted], named[len(rows) :]


def _source_rows(facts: Facts) -> Iterator[tuple[str, str, str]]:
    whole = facts(partition)
    scale = TimeScale(whole.wall_ns)
    for row in facts(source_lines)[:LINES]:
        if row.self_ns >= whole.wall_ns * LINE_MATTERS:
            yield short_place(row.line, facts.trace), scale.time(row.self_ns), source(row.line, facts.trace)


def _lines(rows: list[tuple[str, str, str]]) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, padding=(0, 1, 0, 0), pad_edge=False, expand=True)
    table.add_column(no_wrap=True)
    table.add_column(width=8, justify="right")
    table.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    for where, time, text in rows:
        table.add_row("  " + one_line(where), time, Text(one_line(text), style="dim"))
    return table


def _print_foot(console: Console, facts: Facts) -> None:
    starved = sum(doing.runnable_ns for doing in facts(activity).values())
    if starved > facts(partition).wall_ns * STARVED:
        _note(console, f"for {duration(starved)} of this the program was ready to run and had no CPU: the machine was "
              "busy with other work, or has too few CPUs for its threads", style="yellow")
    found = facts(processes)
    ready = [process for process in found if process.on_path and process.own_ready_ns is not None]
    if len(found) > 1 and ready:
        where = f"ready came in pid {ready[-1].pid}, {duration(ready[-1].own_ready_ns or 0)} after that one began"
        _note(console, f"{len(found)} processes were watched; {where}")
    if facts.trace.cut_short:
        _note(console, "the file ends in the middle of a record: this is not the whole trace", style="yellow")
    if lost := facts.trace.header.get("lost"):
        _note(console, f"part of the trace could not be written: {lost}", style="yellow")
    for child in facts(unwatched):
        command = textwrap.shorten(shlex.join(child.command), 60, placeholder=" …")
        _note(console, f"not watched: {command} (pid {child.pid}): {child.reason}", style="yellow")
    errors = Counter(error for process in facts.trace.processes for error in process.errors)
    for error, times in errors.items():
        often = f" ({count(times, 'time')})" if times > 1 else ""
        _note(console, f"not everything could be watched: {error}{often}", style="yellow")
    cost = facts(agent_cost)
    _note(console, f"firststep itself: {duration(cost.load_ns)} to load, {duration(cost.thread_cpu_ns)} of CPU in its "
          f"own thread ({cost.share:.1%})")


def _note(console: Console, words: str, style: str = "dim") -> None:
    """A line below the tables; where it is too long, it goes on indented."""
    for line in textwrap.wrap(words, console.width, initial_indent="  ", subsequent_indent="    "):
        console.print(line, style=style)
