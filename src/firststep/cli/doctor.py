"""`firststep doctor`: what can be seen in an interpreter, what not, and why."""

from __future__ import annotations

import click

from firststep.printable import show


@click.command("doctor")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[-- PYTHON]")
def command(words: tuple[str, ...]) -> int:
    """Say what firststep sees in PYTHON (default: python) and its frameworks, and what not."""
    from firststep.doctor.examine import examine
    from firststep.doctor.show import lines

    found = examine(list(words) or ["python"])
    for line in lines(found):
        show(line)
    return 0 if found.entered else 1
