"""For IPython and Jupyter: `%load_ext firststep` brings `%firststep ...`, and `%%firststep record` before a cell.

A kernel that runs has started already. The cell is run as a program of its own, in a fresh interpreter of the kernel's environment.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

PREFIX = "firststep-cell-"
CELL_VERBS = ("record", "boost", "prove")
USAGE = "usage: %%firststep record [OPTIONS], with boost or prove in its place, before the cell"


def load_ipython_extension(shell: Any) -> None:
    """IPython's way in."""
    shell.register_magic_function(firststep, "line_cell", "firststep")


def firststep(line: str, cell: str | None = None) -> None:
    """The command line of firststep; with a cell, of which the cell is the program. Prints what it says."""
    try:
        words = shlex.split(line)
    except ValueError as error:  # a quotation that is not closed
        print(f"firststep: {str(error).lower()}: {line}", file=sys.stderr)
        return
    if cell is None:
        _print(_run(words))
    elif not words or words[0] not in CELL_VERBS or "--" in words:
        print(USAGE)
    else:
        with _folder_of(cell) as folder:
            path = os.path.join(folder, "cell.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(cell)
            _print(_run([*words, "--", sys.executable, path]))


@contextmanager
def _folder_of(cell: str) -> Iterator[str]:
    """A new folder, of the same name each time the same cell is run: to boost it is the same program then."""
    folder = os.path.join(tempfile.gettempdir(), PREFIX + hashlib.sha256(cell.encode(errors="surrogatepass")).hexdigest()[:16])
    try:
        os.mkdir(folder, 0o700)
    except OSError:  # it is being run, or the name is somebody else's
        folder = tempfile.mkdtemp(prefix=PREFIX)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(words: list[str]) -> subprocess.CompletedProcess[str]:
    from firststep.cli import STARTS

    return subprocess.run([sys.executable, "-I", STARTS, *words], capture_output=True, text=True, errors="replace",
                          stdin=subprocess.DEVNULL)


def _print(done: subprocess.CompletedProcess[str]) -> None:
    print(done.stdout, end="")
    print(done.stderr, end="", file=sys.stderr)
