"""`firststep doctor`: what can be seen in an interpreter, what not, and why."""

from __future__ import annotations

import click

from firststep.printable import fitted, one_line, show


@click.command("doctor")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[-- PYTHON]")
def command(words: tuple[str, ...]) -> int:
    """Say what firststep sees in PYTHON (default: python) and its frameworks, and what not."""
    from firststep.doctor.examine import examine
    from firststep.doctor.show import INDENT, lines

    found = examine(list(words) or ["python"])
    for line in lines(found):
        show(fitted(one_line(line), " " * (4 if line.startswith(" ") else INDENT)))
    return 0 if found.entered else 1
