"""`firststep report`: show a saved trace again. Needs neither the program nor TensorFlow."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command("report")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the whole result as JSON (docs/report-json.md).")
@click.option("--findings", "topic", flag_value="findings", help="Everything that was found, and what could not be looked for.")
@click.option("--imports", "topic", flag_value="imports", help="Imports by package.")
@click.option("--traces", "topic", flag_value="traces", help="Functions traced, how often and why again.")
@click.option("--variables", "topic", flag_value="variables", help="Variables by initialiser.")
@click.option("--sessions", "topic", flag_value="sessions", help="Sessions, initialisations and models by line.")
@click.option("--weights", "topic", flag_value="weights", help="Models, weights and checkpoints.")
@click.option("--data", "topic", flag_value="data", help="Input pipelines by transformation.")
@click.option("--lines", "topic", flag_value="lines", help="Your program's lines.")
def command(file: Path | None, as_json: bool, topic: str | None) -> None:
    """Show the trace in FILE again, or one topic of it in full; without FILE, the newest one that was kept."""
    from firststep.report.load import load

    trace = load(file or _newest())
    if as_json:
        from firststep.report.as_json import text

        sys.stdout.write(text(trace))
    elif topic:
        from firststep.analyse.facts import Facts
        from firststep.report.tables import TOPICS
        from firststep.report.terminal import draw_table

        draw_table(TOPICS[topic](Facts(trace)), sys.stdout)
    else:
        from firststep.report.terminal import print_report

        print_report(trace, sys.stdout)


def _newest() -> Path:
    from firststep import exit_codes
    from firststep.errors import FirststepError
    from firststep.launch.store import newest

    path = newest()
    if path is None:
        raise FirststepError("no trace has been kept yet", "", "firststep record -- COMMAND", exit_codes.CANNOT_READ)
    return path
