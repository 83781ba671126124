"""`firststep record`: run a program unchanged and say where its start went."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command("record", context_settings={"ignore_unknown_options": True})
@click.option("--until", default="first-step", metavar="WHEN", help="When it counts as ready.")
@click.option("--stop", is_flag=True, help="Stop the program at ready.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Where the trace goes.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the report as JSON as well.")
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND...")
def command(until: str, stop: bool, output: Path | None, json_file: Path | None, words: tuple[str, ...]) -> int:
    """Run COMMAND unchanged; at its first step, say where every millisecond went."""
    from firststep.launch.session import Session
    from firststep.launch.store import save_trace
    from firststep.launch.until import parse_until
    from firststep.model.plan import Plan

    plan = Plan(until=parse_until(until), stop=stop)
    outcome = Session(list(words), plan).run()
    path = save_trace(outcome.trace, output)
    print(f"firststep: trace kept in {path}", file=sys.stderr)
    return 0 if outcome.stopped else outcome.exit_code
