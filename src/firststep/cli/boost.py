"""`firststep boost`: run a program with every remedy that is exact; it learns on its first run."""

from __future__ import annotations

import click

from firststep.cli._program import OWN_OPTIONS_FIRST, program
from firststep.printable import show


@click.command("boost", context_settings=OWN_OPTIONS_FIRST)
@click.option("--until", default="first-step", metavar="WHEN", help="When it counts as ready.")
@click.option("--explain", is_flag=True, help="Say what each remedy did and why; without COMMAND: what each is.")
@click.option("--without", multiple=True, metavar="ID", help="Leave a remedy out. May be given again.")
@click.option("--only", multiple=True, metavar="ID", help="Use this remedy alone. May be given again.")
@click.option("--set", "settings", multiple=True, metavar="ID.NAME=VALUE", help="Set a remedy's setting. May be given again.")
@click.option("--proof", type=click.Choice(["beside", "wait"]), default=None,
              help="Whether the first step waits until the answers of the function cache are proved; without it they are proved beside it.")
@click.option("--no-replay", is_flag=True, help="Trace every function; only its optimised graph is looked up, by its content.")
@click.option("--untested-versions", is_flag=True, help="Boost versions of Python, TensorFlow and Keras that remedies were not tried on.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="-- COMMAND...")
def command(
    until: str, explain: bool, without: tuple[str, ...], only: tuple[str, ...], settings: tuple[str, ...], proof: str | None,
    no_replay: bool, untested_versions: bool, words: tuple[str, ...],
) -> int:
    """Run COMMAND faster, computing exactly the same; nothing else stays running and nothing is edited."""
    if explain and not words:
        from firststep.boost.say import catalogue

        show(catalogue())
        return 0
    if proof:
        settings += (f"cache-functions.proof={proof}",)
    if no_replay:
        settings += ("cache-functions.replay=false",)
    from firststep.boost.drive import boost

    return boost(program(words, "boost"), until=until, without=without, only=only, settings=settings, explain=explain,
                 untested_versions=untested_versions)
