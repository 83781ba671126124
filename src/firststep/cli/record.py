"""`firststep record`: run a program unchanged and say where its start went."""

from __future__ import annotations

import os
import shlex
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import click

from firststep import printable
from firststep.cli._output import ResultFile
from firststep.cli._program import OWN_OPTIONS_FIRST, program
from firststep.errors import FirststepError, reason_of
from firststep.printable import begin_row, say_beside

if TYPE_CHECKING:
    from firststep.analyse.facts import Facts

WIDTH = 80  # of what is said of a start


@click.command("record", context_settings=OWN_OPTIONS_FIRST)
@click.option("--until", default="first-step", metavar="WHEN", show_default=True,
              help="When it counts as ready: first-step, step:N, predict, port:N, http:URL, line:REGEX, mark:NAME, exit.")
@click.option("--stop", is_flag=True, help="Stop the program at ready.")
@click.option("-o", "--output", metavar="FILE", type=ResultFile(), help="Where the trace goes.")
@click.option("--json", "json_file", metavar="FILE", type=ResultFile(), help="The report as JSON as well.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="-- COMMAND...")
def command(until: str, stop: bool, output: Path | None, json_file: Path | None, words: tuple[str, ...]) -> int:
    """Run COMMAND unchanged; at its first step, say on stderr where every millisecond went."""
    from firststep.launch.become import become, ignored_at_start
    from firststep.launch.live_line import live_line
    from firststep.launch.private_file import check_writable
    from firststep.launch.session import Session
    from firststep.launch.signals import die_of
    from firststep.launch.store import place
    from firststep.launch.until import parse_until
    from firststep.model.plan import Plan
    from firststep.switch import is_off

    wanted = program(words, "record")
    for option, file in (("-o", output), ("--json", json_file)):
        if file == Path("-"):
            raise click.UsageError(f"{option} names a file: standard output is the program's")
    if is_off():
        become(wanted, os.environ, ignored_at_start())
    plan = Plan(until=parse_until(until), stop=stop)
    path = place(output)
    if json_file:
        check_writable(json_file, "--json FILE")
    reported = False
    facts: Facts | None = None

    def report(text: str) -> None:
        nonlocal reported, facts
        reported = True
        try:
            facts = _print(text)
        except Exception as error:  # the program runs on, whatever becomes of its report
            say_beside(f"firststep: the report failed: {type(error).__name__}: {error}")

    try:
        outcome = Session(wanted, plan, on_ready=report, on_stall=lambda words: say_beside(f"firststep: {words}"), live=live_line(),
                          alone=True).run()
    except OSError as error:
        say_beside(f"firststep: nothing is recorded: {reason_of(error)}" + (f": {error.filename}" if error.filename else ""))
        become(wanted, os.environ, ignored_at_start())
    if outcome.trace:
        if not reported:
            report(outcome.trace)
        elif not outcome.stopped:
            _say_what_went_on(outcome.trace)
        _keep(outcome.trace, path, json_file)
        if facts:
            _remember(facts, path, outcome.exit_code, outcome.stopped)
    if outcome.stopped:
        return 0
    if outcome.killed_by:
        die_of(outcome.killed_by)
    return outcome.exit_code


def _print(text: str) -> Facts:
    from firststep.analyse.facts import Facts
    from firststep.model.read_trace import parse_trace
    from firststep.report.compose import compose
    from firststep.report.terminal import draw

    facts = Facts(parse_trace(text))
    if sys.stderr is not None and not printable.quiet:
        try:
            begin_row()
            draw(compose(facts), sys.stderr)
            sys.stderr.flush()
        except BrokenPipeError:
            pass  # nobody reads it
    return facts


def _remember(facts: Facts, path: Path | None, exit_code: int, stopped: bool) -> None:
    from firststep.history.remember import remember

    try:
        remember(facts, "record", str(path.absolute()) if path else "", exit_code, stopped)
    except Exception as error:
        say_beside(f"firststep: the history does not have this run: {type(error).__name__}: {error}")


def _say_what_went_on(text: str) -> None:
    """One line about what cost time after the first step; nothing where nothing did, or where it cannot be told."""
    from firststep.analyse.facts import Facts
    from firststep.model.read_trace import parse_trace
    from firststep.report.afterwards import line

    try:
        said = line(Facts(parse_trace(text)))
    except Exception as error:  # the program has run: its words and its exit code count
        said = f"what came after the first step could not be summed up: {type(error).__name__}: {error}"
    if said:
        say_beside(textwrap.fill(f"firststep: {said}", WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False))


def _keep(text: str, path: Path | None, json_file: Path | None) -> None:
    """Writes what was asked for. The program ran: its exit code counts, whatever goes wrong here."""
    from firststep.launch.store import save_trace

    try:
        if path:
            save_trace(text, path)
            say_beside(f"firststep: trace kept: firststep report {shlex.quote(str(path))}")
        if json_file:
            _write_json(text, json_file)
    except FirststepError as error:
        say_beside(error.message())
    except Exception as error:
        say_beside(f"firststep: the trace could not be kept: {type(error).__name__}: {error}")


def _write_json(text: str, path: Path) -> None:
    from firststep.launch.private_file import write_private
    from firststep.model.read_trace import parse_trace
    from firststep.report.as_json import text as as_json

    write_private(path, as_json(parse_trace(text)).encode(), "--json FILE")
