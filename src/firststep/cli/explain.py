"""`firststep explain`: what a cause is, how it is told, and what removes it."""

from __future__ import annotations

import click

LEAST = 3  # letters that tell one cause from others


@click.command("explain")
@click.argument("cause", required=False)
def command(cause: str | None) -> None:
    """Say what CAUSE is and what to do about it; without CAUSE, list all of them. A remedy of boost is explained as well."""
    from firststep import exit_codes
    from firststep.causes import all_causes
    from firststep.errors import FirststepError
    from firststep.printable import filled
    from firststep.remedies import all_remedies
    from firststep.report.pages import catalogue, page

    if cause is None:
        click.echo(catalogue())
        return
    known, remedies = {one.id: one for one in all_causes()}, {one.id: one for one in all_remedies()}
    if cause in remedies:
        click.echo(filled(f"{cause}, a remedy of firststep boost\n\n{remedies[cause].explanation}"))
        return
    if cause not in known:
        near = _near(cause, [*known, *remedies])
        raise FirststepError(f"no cause is called {cause or repr(cause)}", f"meant is perhaps {' or '.join(near)}" if near else "",
                             "firststep explain lists all of them", exit_codes.USAGE)
    click.echo(page(known[cause]))


def _near(typed: str, known: list[str]) -> list[str]:
    """The ids that hold what was typed, else those spelled much like it."""
    from difflib import get_close_matches

    plain = "-".join(typed.lower().replace("_", " ").replace("-", " ").split())
    holding = [one for one in known if len(plain) >= LEAST and plain in one]
    return holding[:3] or get_close_matches(plain, known, 3)
