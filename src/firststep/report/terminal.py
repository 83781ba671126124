"""Draws a report on one screen: the verdict, what to do, where the time went."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass, replace
from typing import IO, TYPE_CHECKING, Any

from firststep.analyse import phases
from firststep.analyse.facts import Facts
from firststep.model.trace import Trace
from firststep.printable import WIDTH, one_line
from firststep.printable import console as printable_console
from firststep.report.compose import compose
from firststep.report.tree import FindingRow, LineRow, PhaseRow, Report
from firststep.report.tree import Table as Drill

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

WIDEST = 120
BAR = 8
BLOCK = "█"
NO_BREAK = "\xa0"
PLAIN = {BLOCK: "#", "±": "+-", "…": "~"}  # for terminals that have only ASCII
NAME = 20  # of a phase
TIME, PERCENT = 8, 4
PLACE = "line"  # heading of the column of places
SHORT = {phases.NETWORK: "network & services"}
COLOURS = {phases.USER: "green", phases.UNACCOUNTED: "red", phases.LIBRARIES: "yellow"}
SEVERITIES = {"high": "bold red", "medium": "yellow", "low": "bold"}
STYLES = {"plain": "dim", "warning": "yellow"}


def print_report(trace: Trace, file: IO[str]) -> None:
    """Prints the report to `file`, in colour only where `file` is a terminal that wants it."""
    draw(compose(Facts(trace)), file)


def draw(report: Report, file: IO[str]) -> None:
    """Prints `report` to `file`."""
    _print(file, lambda console: _draw(console, _on_one_line(report)))


def draw_table(table: Drill, file: IO[str]) -> None:
    """Prints one topic to `file`."""
    _print(file, lambda console: _drill(console, _on_one_line(table)))


def _on_one_line(value: Any) -> Any:
    """The same value, in which no text has a line end of its own: a name with one in it would draw a line."""
    if isinstance(value, str):
        return one_line(value)
    if isinstance(value, tuple):
        return tuple(map(_on_one_line, value))
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{field.name: _on_one_line(getattr(value, field.name)) for field in fields(value)})
    return value


def _print(file: IO[str], write: Callable[[Console], None]) -> None:
    console = printable_console(file, markup=False)
    console.width = min(console.width, WIDEST) if file.isatty() else WIDTH
    with console.capture() as captured:
        write(console)
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


def _draw(console: Console, report: Report) -> None:
    from rich.text import Text

    console.print()
    console.print(Text.assemble(("firststep", "bold"), "  ", (report.time, "bold cyan"), f" from start to {report.reached}"))
    _wrapped(console, report.verdict, "bold")
    console.print(Text("  " + report.command, style="dim"), no_wrap=True, overflow="ellipsis")
    _wrapped(console, report.machine, "dim")
    for number, one in enumerate(report.findings, 1):
        _finding(console, number, one)
    if report.more:
        _wrapped(console, f"{report.more} more: firststep report --findings", "dim")
    console.print(_phases(report, console.width))
    if report.outlook:
        _wrapped(console, report.outlook, "bold")
    if report.lines:
        console.print("lines of your program that cost most, each with all that it calls", style="bold")
        console.print(_lines(report.lines))
    for note in report.notes:
        _wrapped(console, note.words, STYLES[note.kind])


def _finding(console: Console, number: int, one: FindingRow) -> None:
    """At most three lines: what and how much, the evidence with its line, what to do. More on a terminal that they are too wide for."""
    from rich.text import Text

    gain = f"{one.when} saves {one.gain}".lstrip() if one.gain else ""
    place = f" ({one.place})" if one.place else ""
    sure = "" if one.confidence == "high" else f" ({one.confidence} confidence)"
    if console.width < WIDTH:
        _wrapped(console, f"{number:2} {one.id}: {one.what}" + (f", {gain}" if gain else ""), SEVERITIES[one.severity], "")
        _wrapped(console, one.evidence + place, "", "   ")
        _wrapped(console, one.do + sure, "green", "   ")
        return
    room = console.width - len(gain) - 2
    first = Text(_padded(_fitted([f"{number:2} {one.id}: {one.what}"], room), room) + "  ")
    first.stylize(SEVERITIES[one.severity], 0, 3 + len(one.id))
    console.print(first.append(gain, style="cyan"), no_wrap=True, overflow="crop")
    console.print("   " + _fitted(_clauses(one.evidence), console.width - 3 - _cells(place)) + place, no_wrap=True, overflow="crop")
    console.print(Text("   " + _fitted([one.do], console.width - 3 - len(sure)) + sure, style="green"), no_wrap=True, overflow="crop")


def _phases(report: Report, width: int) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column(width=NAME)
    table.add_column(width=TIME, justify="right")
    table.add_column(width=PERCENT, justify="right")
    table.add_column(width=BAR)
    table.add_column(no_wrap=True)
    room = width - NAME - TIME - PERCENT - BAR - 5
    for row in report.phases:
        length = max(1, round(row.bar * BAR)) if row.bar else 0
        bar = Text(BLOCK * length, style=COLOURS.get(row.phase, "cyan"))
        table.add_row("  " + SHORT.get(row.phase, row.phase), row.time, f"{row.share:.0%}", bar, _fitted(row.detail, room))
    if report.rest:
        table.add_row("  the rest", report.rest.time, f"{report.rest.share:.0%}", "", Text(_rest(report.rest, room), style="dim"))
    return table


def _rest(row: PhaseRow, room: int) -> str:
    return _fitted([SHORT.get(name, name) for name in row.detail], room)


def _clauses(words: str) -> list[str]:
    """A sentence cut after its commas and semicolons, but for those within a value: `shape (1, 64)` is one, and so is `'a, b'`."""
    found, depth, begun = [], 0, 0
    for cut in re.finditer(r"[(\[{]|[)\]}]|(?<![\w)])'[^']*'|, |; (?=\D)", words):
        text = cut[0]
        depth = max(0, depth + (text in tuple("([{")) - (text in tuple(")]}")))
        if text in (", ", "; ") and not depth:
            found.append(words[begun : cut.start()])
            begun = cut.end()
    return [*found, words[begun:]]


def _fitted(clauses: Iterable[str], room: int) -> str:
    """As many of the clauses as fit; the first is cut short where it alone does not."""
    words = ""
    for clause in clauses:
        more = f"{words}, {clause}" if words else clause
        if _cells(more) > room:
            return words or _cut(clause, room)
        words = more
    return words


def _cut(clause: str, room: int) -> str:
    """What of a clause fits: up to a comma, where that is the most of it."""
    whole = ""
    for part in _clauses(clause):
        longer = clause[: len(whole) + len(", ") * bool(whole) + len(part)]
        whole = longer if _cells(longer) <= room else whole
    if _cells(whole) >= room / 2:
        return whole
    begun = clause[: room - 1]
    while _cells(begun) > room - 1:
        begun = begun[:-1]
    return begun + "…"


def _cells(text: str) -> int:
    """Columns that a text takes: of Chinese, Japanese and Korean a character takes two."""
    from rich.cells import cell_len

    return cell_len(text)


def _padded(text: str, room: int) -> str:
    return text + " " * (room - _cells(text))


def _lines(rows: tuple[LineRow, ...]) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, padding=(0, 1, 0, 0), pad_edge=False, expand=True)
    table.add_column(no_wrap=True)
    table.add_column(width=TIME, justify="right")
    table.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    for row in rows:
        table.add_row("  " + row.place, row.time, Text(row.text, style="dim"))
    return table


def _drill(console: Console, drill: Drill) -> None:
    from rich.table import Table

    console.print(drill.title, style="bold")
    sourced = "" in drill.columns  # the source text has no heading; it gives way, so that places stay whole, as words do elsewhere
    whole = [right or sourced or heading == PLACE for heading, right in zip(drill.columns, drill.right)]
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, show_footer=bool(drill.total), header_style="dim", footer_style="bold",
                  expand=sourced)
    for number, (heading, right) in enumerate(zip(drill.columns, drill.right)):
        table.add_column(heading, justify="right" if right else "left", footer=drill.total[number] if drill.total else "",
                         no_wrap=whole[number], overflow="fold" if heading else "ellipsis", ratio=None if heading else 1)
    for row in drill.rows if sourced else _with_short_places(drill, whole, console.width):
        table.add_row(*row)
    if drill.rows:
        console.print(table)
    for note in drill.notes:
        _wrapped(console, note, "dim")


def _with_short_places(drill: Drill, whole: list[bool], width: int) -> Iterable[tuple[str, ...]]:
    """The rows, their places cut at the front as far as other columns need the room for whole words."""
    if PLACE not in drill.columns:
        return drill.rows
    at, columns = drill.columns.index(PLACE), zip(drill.columns, *drill.rows, *([drill.total] if drill.total else []))
    needed = [max(map(len, cells if kept else " ".join(cells).split())) for kept, cells in zip(whole, columns)]
    room = needed[at] - max(0, sum(needed) + len(needed) - 1 - width)
    return [(*row[:at], row[at] if len(row[at]) <= room else f"…{row[at][1 - room:]}", *row[at + 1:]) for row in drill.rows]


def _wrapped(console: Console, words: str, style: str, indent: str = "  ") -> None:
    """A sentence, its later lines indented; no id is cut at a hyphen, and no number parted from its unit."""
    joined = re.sub(r"(?<=\d) (?=[a-zA-Zµ]{1,2}\b)", NO_BREAK, words)
    for line in textwrap.wrap(joined, console.width, initial_indent=indent, subsequent_indent="    ", break_on_hyphens=False):
        console.print(line.replace(NO_BREAK, " "), style=style)
