"""`firststep disable`: undo `firststep enable`."""

from __future__ import annotations

from pathlib import Path

import click

from firststep.printable import show


@click.command("disable")
@click.argument("environment", required=False, type=click.Path(path_type=Path))
def command(environment: Path | None) -> int:
    """Leave the runs of ENVIRONMENT (default: the active one) plain again."""
    from firststep.boost.enabled import disable

    removed = disable(environment)
    for path in removed:
        show(f"firststep: removed {path}")
    if not removed:
        show("firststep: it was not enabled")
    return 0
