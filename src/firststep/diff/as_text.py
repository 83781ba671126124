"""A comparison on the terminal."""

from __future__ import annotations

import sys
import textwrap
from typing import IO, TYPE_CHECKING

from firststep.diff.compare import Diff, Topic
from firststep.diff.rows import headline, remarks, rows, topics
from firststep.printable import console as printable_console
from firststep.printable import one_line

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 100  # where it goes to no terminal
NAME = 30  # columns of a name at the least
FIGURES = 48  # columns of the rest


def print_diff(diff: Diff, everything: bool, file: IO[str] = sys.stdout) -> None:
    """The headline, what to know, and a table for each topic."""
    console = printable_console(file, markup=False)
    if not file.isatty():
        console.width = WIDTH
    before, after = diff.traces
    console.print(f"firststep diff  {one_line(diff.program) or 'a program'}", style="bold", no_wrap=True, overflow="ellipsis")
    console.print(_filled(headline(diff), console.width), style="bold red" if diff.total.by > 0 and diff.total.certain else "bold")
    for words in remarks(diff):
        console.print(_filled(one_line(words), console.width), style="yellow")
    for topic in topics(diff):
        _print(console, topic, everything, noise=min(before, after) > 1 or diff.noise_known)


def _filled(words: str, width: int) -> str:
    """Below each other what does not fit into one line."""
    return textwrap.fill(words, max(width, NAME), initial_indent="  ", subsequent_indent="    ")


def _print(console: Console, topic: Topic, everything: bool, noise: bool) -> None:
    from rich.table import Table

    shown, more = rows(topic, everything)
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    table.add_column(topic.name, no_wrap=True, overflow="ellipsis", width=max(NAME, console.width - FIGURES))
    for heading in ("before", "after", "change", *(("noise",) if noise else ())):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in shown:
        table.add_row("  " + one_line(row.name), row.before, row.after, row.by, *((row.noise,) if noise else ()),
                      style="dim" if row.within else "")
    console.print(table)
    if more:
        console.print(f"  {more:,} more: --all", style="dim")
