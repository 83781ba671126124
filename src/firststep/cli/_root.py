"""The verbs, found by name and imported when used."""

from __future__ import annotations

import importlib
import pkgutil

import click

from firststep import cli, exit_codes, printable
from firststep.errors import FirststepError
from firststep_agent import AGENT_VERSION


class Verbs(click.Group):
    """Finds each verb in the module of its name; importing it is left to the moment of use."""

    def list_commands(self, context: click.Context) -> list[str]:
        return sorted(name for _, name, _ in pkgutil.iter_modules(cli.__path__) if not name.startswith("_"))

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in self.list_commands(context):
            return None
        command = importlib.import_module(f"{cli.__name__}.{name}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(self, context: click.Context, words: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        if words and not words[0].startswith("-") and words[0] not in self.list_commands(context):
            raise _no_verb(words[0], self.list_commands(context))
        return super().resolve_command(context, words)


def _no_verb(name: str, known: list[str]) -> FirststepError:
    import difflib

    near = difflib.get_close_matches(name.lower(), known, 1)
    return FirststepError(f"there is no verb {name}", f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}",
                          f"firststep {near[0]} --help" if near else "firststep --help", exit_codes.USAGE)


@click.command(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(AGENT_VERSION, prog_name="firststep")
@click.option("-v", "--verbose", is_flag=True, help="Say also what usually need not be known, with tracebacks of firststep's own faults.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing on standard error but what went wrong.")
@click.option("--no-color", is_flag=True, help="No colours, whatever the terminal; as NO_COLOR=1 does.")
def root(verbose: bool, quiet: bool, no_color: bool) -> None:
    """Why does this TensorFlow program start slowly? And make it start fast."""
    if verbose and quiet:
        raise click.UsageError("-v and -q exclude each other")
    printable.verbose, printable.quiet, printable.no_color = verbose, quiet, no_color


def run(words: list[str]) -> int:
    """Carries out a command line. Returns the exit code. Raises FirststepError."""
    try:
        return root(words, prog_name="firststep", standalone_mode=False) or 0
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return exit_codes.USAGE
    except click.ClickException as error:
        raise _usage(error) from error
    except click.Abort as error:
        raise KeyboardInterrupt from error
    except click.exceptions.Exit as stop:
        return stop.exit_code


def _usage(error: click.ClickException) -> FirststepError:
    """A wrong command line, said as everything else is."""
    context = getattr(error, "ctx", None)
    words = error.format_message().rstrip(".")
    path = context.command_path if context else "firststep"
    typed = getattr(error, "option_name", "")
    if typed in {name for option in root.params for name in option.opts}:
        return FirststepError(words[:1].lower() + words[1:], f"{typed} is said before the verb",
                              f"firststep {typed} {path.partition(' ')[2]}", error.exit_code)
    return FirststepError(words[:1].lower() + words[1:], "", f"{path} --help", error.exit_code)
