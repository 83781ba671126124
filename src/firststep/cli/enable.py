"""`firststep enable`: make every Python process of a virtual environment start boosted, without a prefix."""

from __future__ import annotations

from pathlib import Path

import click

from firststep.printable import show


@click.command("enable")
@click.argument("environment", required=False, type=click.Path(path_type=Path))
def command(environment: Path | None) -> int:
    """Boost every run of ENVIRONMENT (default: the active one): kernels, pytest, debuggers, launchers.

    One file is written into its site-packages; `firststep disable` removes it, FIRSTSTEP=off overrides it.
    """
    from firststep.boost.enabled import enable

    for path in enable(environment):
        show(f"firststep: every run of {environment or 'the active environment'} is boosted from now on, by {path}")
    undo = f"firststep disable {environment}" if environment else "firststep disable"
    show(f"firststep: undo it with `{undo}`; FIRSTSTEP=off leaves single runs out")
    return 0
