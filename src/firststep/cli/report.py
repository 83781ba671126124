"""`firststep report`: show a saved trace again. Needs neither the program nor TensorFlow."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command("report")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the whole result as JSON (docs/report-json.md).")
def command(file: Path | None, as_json: bool) -> None:
    """Show the trace in FILE again; without FILE, the newest one that was kept."""
    from firststep.report.load import load

    trace = load(file or _newest())
    if as_json:
        from firststep.report.as_json import text

        sys.stdout.write(text(trace))
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
