"""`firststep lint`: the causes of a slow start that can be seen in source."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from firststep.lint.run import LintedFile

FORMATS = ("text", "json", "sarif", "github")


@click.command("lint")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How findings are written.")
@click.option("--select", multiple=True, metavar="ID", help="Use these rules alone. A list with commas, or given again.")
@click.option("--ignore", multiple=True, metavar="ID", help="Leave these rules out.")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave these files or folders out.")
@click.option("--fix", is_flag=True, help="Make the edits after which the program computes the same.")
@click.option("--unsafe-fixes", is_flag=True, help="Make, with --fix or --diff, also edits that may change what it does.")
@click.option("--diff", "only_show", is_flag=True, help="Show what --fix would change, and write nothing.")
@click.option("--stdin-filename", metavar="PATH", help="What the source on stdin (PATHS: -) is called.")
@click.argument("paths", nargs=-1, type=click.Path(), metavar="[PATHS]...")
def command(form: str, select: tuple[str, ...], ignore: tuple[str, ...], exclude: tuple[str, ...], fix: bool, unsafe_fixes: bool,
            only_show: bool, stdin_filename: str | None, paths: tuple[str, ...]) -> int:
    """Find the causes of a slow TensorFlow start in the source of PATHS (default: this folder), without running it.

    Settings stand in pyproject.toml, [tool.firststep.lint]; `# firststep: ignore[ID]` silences a line. The rules are
    explained in docs/lint.md. Exit code: 0 nothing found, 1 findings, 2 something could not be checked.
    """
    from firststep.lint.run import Wish, lint, lint_text
    from firststep.lint.settings import settings_for

    wish = Wish(edit=fix or only_show, unsafe=unsafe_fixes, write=fix and not only_show)
    from_stdin = paths == ("-",)
    _check_options("-" in paths and not from_stdin, bool(stdin_filename) and not from_stdin, unsafe_fixes and not wish.edit)
    name = stdin_filename or "-"
    named = [stdin_filename or "."] if from_stdin else list(paths) or ["."]
    settings = settings_for(named, _listed(select), _listed(ignore), _listed(exclude))
    outcomes = [lint_text(sys.stdin.buffer.read(), name, settings, wish)] if from_stdin else list(lint(named, settings, wish))
    return _told(outcomes, form, only_show, source_out=from_stdin and fix)


def _listed(values: tuple[str, ...]) -> list[str]:
    return [part.strip() for value in values for part in value.split(",") if part.strip()]


def _check_options(mixed: bool, name_alone: bool, unsafe_alone: bool) -> None:
    """Raises FirststepError for options that do not go together."""
    from firststep import exit_codes
    from firststep.errors import FirststepError

    by_stdin = "firststep lint - --stdin-filename train.py"
    if mixed:
        raise FirststepError("stdin and files cannot be linted in one call", "", by_stdin, exit_codes.USAGE)
    if name_alone:
        raise FirststepError("--stdin-filename is for source on stdin", "", by_stdin, exit_codes.USAGE)
    if unsafe_alone:
        raise FirststepError("--unsafe-fixes makes no edit by itself", "", "firststep lint --diff --unsafe-fixes", exit_codes.USAGE)


def _told(outcomes: list[LintedFile], form: str, only_show: bool, source_out: bool) -> int:
    """Writes everything and gives the exit code."""
    import importlib

    from firststep.lint.run import diff
    from firststep.lint.show.text import summary, troubles
    from firststep.printable import say

    shown = importlib.import_module(f"firststep.lint.show.{form}").show(outcomes, sys.stdout is not None and sys.stdout.isatty())
    if only_show:
        _write("".join(diff(outcome) for outcome in outcomes if outcome.applied))
        edits = sum(outcome.applied for outcome in outcomes)
        say(f"firststep: {edits} edit{'s' * (edits != 1)} shown, nothing written")
    elif source_out:
        one = outcomes[0]
        _write_bytes((one.after or one.before).encode(one.encoding))
        say(summary(outcomes))
    else:
        _write(shown)
    if form == "text" or only_show or source_out:
        for line in troubles(outcomes):
            say(line)
    return _exit_code(outcomes, only_show)


def _exit_code(outcomes: list[LintedFile], only_show: bool) -> int:
    from firststep import exit_codes

    if any(trouble.error for outcome in outcomes for trouble in outcome.checked.troubles):
        return exit_codes.USAGE
    found = any(outcome.applied if only_show else outcome.checked.findings for outcome in outcomes)
    return exit_codes.FAILED if found else exit_codes.OK


def _write(text: str) -> None:
    """To stdout, whatever its encoding."""
    if sys.stdout is not None:
        encoding = sys.stdout.encoding or "utf-8"
        _write_bytes(text.encode(encoding, "backslashreplace"))


def _write_bytes(data: bytes) -> None:
    """To stdout as they are; a reader that has gone is no error."""
    import os

    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except (BrokenPipeError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
