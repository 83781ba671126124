"""`firststep explain`: what a cause is, how it is told, and what removes it."""

from __future__ import annotations

import click


@click.command("explain")
@click.argument("cause", required=False)
def command(cause: str | None) -> None:
    """Say what CAUSE is and what to do about it; without CAUSE, list all of them."""
    from difflib import get_close_matches

    from firststep import exit_codes
    from firststep.causes import all_causes
    from firststep.errors import FirststepError
    from firststep.report.pages import catalogue, page

    if cause is None:
        click.echo(catalogue())
        return
    known = {one.id: one for one in all_causes()}
    if cause not in known:
        near = get_close_matches(cause, known, 3)
        raise FirststepError(f"no cause is called {cause}", f"meant is perhaps {' or '.join(near)}" if near else "",
                             "firststep explain lists all of them", exit_codes.USAGE)
    click.echo(page(known[cause]))
