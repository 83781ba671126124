"""`firststep history`: the runs that were measured on this machine."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from firststep.cli._output import ResultFile

if TYPE_CHECKING:
    from firststep.history.store import PastRun

SHOWN = 20
AGO = {"h": 3600.0, "d": 86_400.0, "w": 7 * 86_400.0}


@click.command("history")
@click.option("--program", metavar="TEXT", default="", help="Programs with this in their name.")
@click.option("--verb", type=click.Choice(["record", "boost", "prove", "check"]), help="Runs of this verb alone.")
@click.option("--since", metavar="WHEN", help="Runs since then: 12h, 7d, 4w, or a date, 2026-11-01.")
@click.option("-n", "--limit", type=click.IntRange(1, 10**9), help=f"The newest so many.  [default: {SHOWN} listed, all plotted]")
@click.option("--all", "everything", is_flag=True, help="Every run.")
@click.option("--plot", is_flag=True, help="Plot time to first step, program by program, with the moments at which it changed.")
@click.option("--html", "html_file", metavar="FILE", type=ResultFile(), help="Write the plots as an HTML file.")
@click.option("--json", "json_file", metavar="FILE", type=ResultFile(), help="Write the runs as JSON (- is standard output).")
@click.option("--clear", is_flag=True, help="Forget every run.")
def command(program: str, verb: str | None, since: str | None, limit: int | None, everything: bool, plot: bool, html_file: Path | None,
            json_file: Path | None, clear: bool) -> int:
    """List the runs of record, boost, prove and check that are kept on this machine; FIRSTSTEP_HISTORY=off keeps none."""
    from firststep import exit_codes
    from firststep.errors import FirststepError
    from firststep.history import store

    if clear and (program or verb or since or limit or everything or plot or html_file or json_file):
        raise click.UsageError("--clear forgets every run, and goes with nothing else")
    try:
        if clear:
            return _clear()
        whole = everything or plot or html_file is not None
        found = store.runs(program=program, verb=verb or "", since=_moment(since), limit=limit or (None if whole else SHOWN))
    except store.Unusable as why:
        raise FirststepError("the history cannot be used", str(why), why.cure,
                             exit_codes.CANNOT_READ) from why
    _show(found, plot, html_file, json_file)
    return 0


def _show(found: list[PastRun], plot: bool, html_file: Path | None, json_file: Path | None) -> None:
    from firststep.cli._output import write_all
    from firststep.printable import say

    if write_all({"--html FILE": (html_file, lambda: _page(found)), "--json FILE": (json_file, lambda: _json(found))}) and not html_file:
        from firststep.trend.as_text import lines, plots
        from firststep.trend.series import series

        _print(plots(series(found)) if plot else lines(found))
    if not found:
        say(f"firststep: {_why_none()}")
    if full := _why_no_more():
        say(f"firststep: {full}")


def _why_none() -> str:
    from firststep.history.store import is_off, place, runs

    if is_off():
        return "FIRSTSTEP_HISTORY=off: no history is kept"
    if runs(limit=1):
        return f"no such run is in {place()}"
    return f"no run is kept yet: record, boost, prove and check keep theirs in {place()}"


def _why_no_more() -> str:
    """In words why no further run is kept; empty where they are."""
    from firststep.history.store import is_off, place, room_left
    from firststep.model.words import size

    free = None if is_off() else room_left()
    return "" if free is None else f"no run is kept at present: the disk of {place().parent} is full ({size(free)} free)"


def _print(words: Iterable[str]) -> None:
    """Lines that are fit to print."""
    import os

    from firststep.cli._output import STANDARD, write

    try:
        write("", STANDARD, "".join(f"{line}\n" for line in words))
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC), sys.stdout.fileno())


def _page(found: list[PastRun]) -> str:
    from firststep.trend.page import page
    from firststep.trend.series import series

    return page(series(found))


def _json(found: list[PastRun]) -> str:
    import dataclasses
    import json

    return json.dumps({"magic": "firststep-history", "schema": 1, "runs": [dataclasses.asdict(run) for run in found]}, indent=1) + "\n"


def _clear() -> int:
    from firststep.history.store import clear
    from firststep.model.words import count
    from firststep.printable import show

    show(f"forgot {count(clear(), 'run')}")
    return 0


def _moment(since: str | None) -> float:
    """Seconds since 1970. Raises UsageError."""
    import time

    if since is None:
        return 0.0
    ago = re.fullmatch(r"(\d{1,6})([hdw])", since)
    if ago:
        return time.time() - int(ago[1]) * AGO[ago[2]]
    try:
        return time.mktime(time.strptime(since, "%Y-%m-%d"))
    except (ValueError, OverflowError) as error:
        raise click.UsageError(f"--since {since} is no moment: 12h, 7d, 4w, or a date, 2026-11-01") from error
