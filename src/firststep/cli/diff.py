"""`firststep diff`: what changed between two starts, or two sets of them."""

from __future__ import annotations

import sys
from pathlib import Path

import click


class TwoSides(click.Command):
    """A command line with a side on either side of `--`, or with two words."""

    def parse_args(self, context: click.Context, words: list[str]) -> list[str]:
        before, dashes, after = (words, [], []) if "--" not in words else _split(words)
        context.meta[DASHES] = [Path(word) for word in after] if dashes else None
        return super().parse_args(context, before)


DASHES = "firststep.after"


def _split(words: list[str]) -> tuple[list[str], list[str], list[str]]:
    at = words.index("--")
    return words[:at], words[at : at + 1], words[at + 1 :]


@click.command("diff", cls=TwoSides)
@click.option("--all", "everything", is_flag=True, help="Every change that matters, not the largest alone.")
@click.option("--anyway", is_flag=True, help="Compare what is not one thing measured twice: other programs, versions, machines.")
@click.option("--json", "json_file", metavar="FILE", type=click.Path(path_type=Path), help="Write it as JSON (- is standard output).")
@click.option("--markdown", "markdown_file", metavar="FILE", type=click.Path(path_type=Path), help="Write it as Markdown.")
@click.argument("before", nargs=-1, type=click.Path(path_type=Path), metavar="BEFORE... -- AFTER...")
@click.pass_context
def command(context: click.Context, everything: bool, anyway: bool, json_file: Path | None, markdown_file: Path | None,
            before: tuple[Path, ...]) -> int:
    """Say what changed from BEFORE to AFTER, largest first. Each is a trace, a folder of traces, or several of either; with two
    words alone, the first is before. Three or more traces of a side tell what is more than noise.
    """
    import gc

    gc.disable()  # hundreds of thousands of small values, all of them needed until the end
    from firststep.cli._output import write_all
    from firststep.diff.as_json import as_json
    from firststep.diff.as_markdown import as_markdown
    from firststep.diff.as_text import print_diff
    from firststep.diff.comparable import in_the_way, worth_knowing
    from firststep.diff.compare import compare
    from firststep.diff.sides import sides

    starts = sides(*_named(before, context.meta[DASHES]))
    left, right = ([start.identity for start in side] for side in starts)
    reasons = in_the_way(left, right)
    if reasons and not anyway:
        raise _refusal(reasons)
    diff = compare(*starts, reasons, worth_knowing(left, right))
    if write_all({"--json FILE": (json_file, lambda: as_json(diff)),
                  "--markdown FILE": (markdown_file, lambda: as_markdown(diff, everything))}):
        print_diff(diff, everything, sys.stdout)
    return 0


def _named(before: tuple[Path, ...], after: list[Path] | None) -> tuple[list[Path], list[Path]]:
    """The two sides. Raises UsageError where there are not two."""
    named = list(before)
    if after is None and len(named) == 2:
        named, after = named[:1], named[1:]
    if not named or not after:
        raise click.UsageError("two sides are compared: BEFORE AFTER, or BEFORE... -- AFTER...")
    option = next((path for path in after if str(path).startswith("--")), None)
    if option:
        raise click.UsageError(f"what follows -- is a trace or a folder; {option} goes before it")
    return named, after


def _refusal(reasons: list[str]) -> Exception:
    from firststep import exit_codes
    from firststep.errors import FirststepError

    return FirststepError("these starts are not one thing measured twice", "; ".join(reasons), "--anyway compares them all the same",
                          exit_codes.INCOMPARABLE)
