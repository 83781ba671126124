"""The verbs, found by name and imported when used."""

from __future__ import annotations

import importlib
import pkgutil

import click

from firststep import cli, exit_codes
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


@click.command(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(AGENT_VERSION, prog_name="firststep")
def root() -> None:
    """Why does this TensorFlow program start slowly? And make it start fast."""


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
    return FirststepError(words[:1].lower() + words[1:], "", f"{path} --help", error.exit_code)
