"""The command line: one module per verb, found by name and imported when used, so that the command starts fast."""

from __future__ import annotations

import importlib
import pkgutil
import sys

import click

from firststep_agent import AGENT_VERSION


class Verbs(click.Group):
    """Finds each verb in the module of its name; importing it is left to the moment of use."""

    def list_commands(self, context: click.Context) -> list[str]:
        return sorted(name for _, name, _ in pkgutil.iter_modules(__path__) if not name.startswith("_"))

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in self.list_commands(context):
            return None
        command = importlib.import_module(f"{__name__}.{name}").command
        assert isinstance(command, click.Command)
        return command


@click.command(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(AGENT_VERSION, prog_name="firststep")
def root() -> None:
    """Why does this TensorFlow program start slowly? And make it start fast."""


def main() -> None:
    """The console script."""
    from firststep.errors import FirststepError

    try:
        sys.exit(root(standalone_mode=False) or 0)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.Abort:
        sys.exit(130)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except FirststepError as error:
        print(error.message(), file=sys.stderr)
        sys.exit(error.exit_code)
