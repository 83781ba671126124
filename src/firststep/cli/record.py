"""`firststep record`: run a program unchanged and say where its start went."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from firststep.cli._program import OWN_OPTIONS_FIRST, program
from firststep.errors import FirststepError, reason_of, say


@click.command("record", context_settings=OWN_OPTIONS_FIRST)
@click.option("--until", default="first-step", metavar="WHEN", show_default=True,
              help="When it counts as ready: first-step, step:N, predict, port:N, http:URL, line:REGEX, mark:NAME, exit.")
@click.option("--stop", is_flag=True, help="Stop the program at ready.")
@click.option("-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help="Where the trace goes.")
@click.option("--json", "json_file", metavar="FILE", type=click.Path(path_type=Path), help="The report as JSON as well.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="-- COMMAND...")
def command(until: str, stop: bool, output: Path | None, json_file: Path | None, words: tuple[str, ...]) -> int:
    """Run COMMAND unchanged; at its first step, say on stderr where every millisecond went."""
    from firststep.launch.session import Session
    from firststep.launch.store import check_writable, place
    from firststep.launch.until import parse_until
    from firststep.model.plan import Plan

    wanted = program(words, "record")
    plan = Plan(until=parse_until(until), stop=stop)
    path = place(output)
    check_writable(path, "-o FILE")
    if json_file:
        check_writable(json_file, "--json FILE")
    reported = False

    def report(text: str) -> None:
        nonlocal reported
        reported = True
        try:
            _print(text)
        except Exception as error:  # the program runs on, whatever becomes of its report
            say(f"firststep: the report failed: {type(error).__name__}: {error}")

    outcome = Session(wanted, plan, on_ready=report, on_stall=lambda words: say(f"firststep: {words}")).run()
    if not reported:
        report(outcome.trace)
    elif not outcome.stopped:
        _say_what_went_on(outcome.trace)
    try:
        _keep(outcome.trace, path, json_file)
    except FirststepError as error:  # the program ran: its exit code counts
        say(error.message())
    return 0 if outcome.stopped else outcome.exit_code


def _print(text: str) -> None:
    from firststep.model.read_trace import parse_trace
    from firststep.report.terminal import print_report

    if sys.stderr is not None:
        try:
            print_report(parse_trace(text), sys.stderr)
            sys.stderr.flush()
        except BrokenPipeError:
            pass  # nobody reads it


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
        say(f"firststep: {said}")


def _keep(text: str, path: Path, json_file: Path | None) -> None:
    from firststep.launch.store import save_trace

    save_trace(text, path)
    say(f"firststep: trace kept: firststep report {path}")
    if json_file:
        _write_json(text, json_file)


def _write_json(text: str, path: Path) -> None:
    from firststep import exit_codes
    from firststep.model.read_trace import parse_trace
    from firststep.report.as_json import text as as_json

    try:
        path.write_text(as_json(parse_trace(text)))
    except OSError as error:
        raise FirststepError(f"{path} could not be written", reason_of(error),
                             "firststep report --json shows it again", exit_codes.CANNOT_WRITE) from error
