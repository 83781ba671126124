"""`firststep open`: the report as a page, in the browser."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

NAME = "report.html"


@click.command("open")
@click.argument("files", nargs=-1, metavar="[TRACE] [TRACE]", type=click.Path(path_type=Path))
@click.option("--with", "profiles", metavar="FILE", multiple=True, type=click.Path(path_type=Path),
              help="Lay the profile of the same run beside it, as `firststep report --with` does.")
@click.option("--no-redact", is_flag=True, help="Write folders, hosts, buckets, user names, tokens and options as they are.")
def command(files: tuple[Path, ...], profiles: tuple[Path, ...], no_redact: bool) -> None:
    """Make the page of TRACE (without it, of the newest that was kept; of two, side by side) and open it in the browser."""
    from firststep.cli.report import newest, start
    from firststep.launch.private_file import write_private
    from firststep.printable import show
    from firststep.report.formats import format_named

    page = format_named("html")
    if len(files) > page.most:
        raise click.UsageError("two traces at most")
    if profiles and len(files) > 1:
        raise click.UsageError("--with goes with one trace")
    text = page.text([start(file, not no_redact, profiles) for file in files or (newest(),)])
    path = _place()
    write_private(path, text.encode("utf-8", "replace"), "report --html FILE")
    show(f"firststep: {path}" if _opened(path) else f"firststep: no browser is here to open it: {path}")


def _place() -> Path:
    """Beside the kept traces, for the user's eyes only. Raises FirststepError."""
    from firststep.launch.private_file import unwritable
    from firststep.launch.store import folder

    path = folder().parent / NAME
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(path, error, "firststep report --html FILE") from error
    return path


def _opened(path: Path) -> bool:
    """Whether a browser took it. One that would draw into the terminal is none, nor is one without a screen."""
    screen = sys.platform == "darwin" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "WSL_DISTRO_NAME"))
    if not screen:
        return False
    import webbrowser

    try:
        return webbrowser.open(path.as_uri())
    except (webbrowser.Error, OSError):
        return False
