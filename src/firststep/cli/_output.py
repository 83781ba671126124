"""Where results go: files that the user names, and standard output, which is called `-`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import click

STANDARD = Path("-")


class ResultFile(click.Path):
    """The file that an option names. `--` is none: whoever typed it left the name out, and the program begins there."""

    def __init__(self, kind: type[Path] | type[str] = Path) -> None:
        super().__init__(path_type=kind)

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        if os.fspath(value) == "--":
            self.fail("the name of the file is missing before --", param, ctx)
        return super().convert(value, param, ctx)


def write(option: str, path: Path, text: str) -> None:
    """Writes a result. Raises FirststepError where the file cannot be written."""
    if path == STANDARD:
        if sys.stdout is not None:
            encoding = sys.stdout.encoding or "utf-8"
            sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        return
    from firststep.launch.private_file import write_private

    write_private(path, text.encode("utf-8", "backslashreplace"), option)


def check_all(wanted: dict[str, Path | None]) -> None:
    """Raises FirststepError now rather than after long runs, if one of these places cannot be written to."""
    from firststep.launch.private_file import check_writable

    for option, path in wanted.items():
        if path and path != STANDARD:
            check_writable(path, option)


def write_all(wanted: dict[str, tuple[Path | None, Callable[[], str]]]) -> bool:
    """Writes each result that has a place, {option: (place, its text)}. Returns whether standard output is free for people."""
    for option, (path, text) in wanted.items():
        if path:
            write(option, path, text())
    return all(path != STANDARD for path, _ in wanted.values())
