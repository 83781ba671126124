"""`firststep record`: run a program unchanged and say where its start went."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command("record")
@click.option("--until", default="first-step", metavar="WHEN", show_default=True,
              help="When it counts as ready: first-step, step:N, predict, port:N, http:URL, line:REGEX, mark:NAME, exit.")
@click.option("--stop", is_flag=True, help="Stop the program at ready.")
@click.option("-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help="Where the trace goes.")
@click.option("--json", "json_file", metavar="FILE", type=click.Path(path_type=Path), help="The report as JSON as well.")
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND...")
def command(until: str, stop: bool, output: Path | None, json_file: Path | None, words: tuple[str, ...]) -> int:
    """Run COMMAND unchanged; at its first step, say on stderr where every millisecond went."""
    from firststep.launch.session import Session
    from firststep.launch.store import check_writable, save_trace
    from firststep.launch.until import parse_until
    from firststep.model.plan import Plan

    for path in (output, json_file):
        if path:
            check_writable(path)
    plan = Plan(until=parse_until(until), stop=stop)
    reported = False

    def report(text: str) -> None:
        nonlocal reported
        reported = True
        try:
            _print(text)
        except Exception as error:  # the program runs on, whatever becomes of its report
            print(f"firststep: the report failed: {type(error).__name__}: {error}", file=sys.stderr)

    outcome = Session(list(words), plan, on_ready=report).run()
    if not reported:
        report(outcome.trace)
    path = save_trace(outcome.trace, output)
    if json_file:
        _write_json(outcome.trace, json_file)
    print(f"firststep: trace kept: firststep report {path}", file=sys.stderr)
    return 0 if outcome.stopped else outcome.exit_code


def _print(text: str) -> None:
    from firststep.model.read_trace import parse_trace
    from firststep.report.terminal import print_report

    print_report(parse_trace(text), sys.stderr)
    sys.stderr.flush()


def _write_json(text: str, path: Path) -> None:
    import json

    from firststep.model.read_trace import parse_trace
    from firststep.report.as_json import document

    path.write_text(json.dumps(document(parse_trace(text)), indent=1) + "\n")
