"""Which files lint looks at: what is named, and what lies below the folders that are named."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from functools import cache

from firststep.errors import reason_of
from firststep.lint.findings import Checked, Trouble
from firststep.lint.program import Setting

SUFFIXES = (".py", ".pyw")
TESTS = ("test_*.py", "*_test.py", "conftest.py")
LEFT_OUT = (".*", "venv", "env", "virtualenv", "__pycache__", "__pypackages__", "build", "_build", "dist", "node_modules", "site-packages",
            "*.egg-info")
"""Folders that are not gone into when they are come across: environments, version control, caches, what is built."""


def files(paths: Iterable[str], exclude: Iterable[str], root: str) -> Iterator[str | Checked]:
    """The paths of the files to check, each once and in order; a Checked with a trouble for what is none.

    `exclude` are names or patterns, relative to `root`; they also hold for files that are named themselves.
    """
    patterns, seen = list(exclude), set()
    for named in paths:
        for found in _below(named, patterns, root):
            key = found.path if isinstance(found, Checked) else os.path.realpath(found)
            if key not in seen:
                seen.add(key)
                yield found


def _below(named: str, patterns: list[str], root: str) -> Iterator[str | Checked]:
    if is_excluded(named, patterns, root):
        return
    if not os.path.isdir(named):
        if named.endswith(".ipynb"):
            yield Checked(named, troubles=(Trouble("notebooks are not read", error=False),))
        else:
            yield named
        return
    notebooks = 0
    problems: list[OSError] = []
    for folder, folders, names in os.walk(named, onerror=problems.append):
        folders[:] = sorted(name for name in folders if not _is_left_out(os.path.join(folder, name), name, patterns, root))
        for name in sorted(names):
            path = os.path.join(folder, name)
            path = path.removeprefix("./") if named == "." else path
            if name.endswith(SUFFIXES) and not is_excluded(path, patterns, root):
                yield path
            notebooks += name.endswith(".ipynb")
    for error in problems:
        yield Checked(str(error.filename), troubles=(Trouble(reason_of(error)),))
    if notebooks:
        words = "a notebook is not read" if notebooks == 1 else f"{notebooks} notebooks are not read"
        yield Checked(named, troubles=(Trouble(words, error=False),))


def _is_left_out(path: str, name: str, patterns: list[str], root: str) -> bool:
    if any(fnmatch(name, pattern) for pattern in LEFT_OUT) or is_excluded(path, patterns, root):
        return True
    return os.path.exists(os.path.join(path, "pyvenv.cfg"))


def is_excluded(path: str, patterns: Iterable[str], root: str) -> bool:
    """Whether a pattern is the path's own name, that of a folder above it below `root`, or the whole relative path."""
    relative = os.path.relpath(os.path.abspath(path), root).replace(os.sep, "/")
    parts = relative.split("/")
    starts = ["/".join(parts[: count + 1]) for count in range(len(parts))]
    for pattern in patterns:
        plain = pattern.rstrip("/").removeprefix("./")
        if any(fnmatch(part, plain) for part in parts) or any(fnmatch(start, plain) for start in starts):
            return True
    return False


def setting_of(path: str) -> Setting:
    """The top-level package that a file belongs to, by the `__init__.py` beside and above it."""
    folder = os.path.dirname(os.path.abspath(path))
    name = os.path.basename(path)
    is_test = any(fnmatch(name, pattern) for pattern in TESTS)
    return Setting(_package(folder), name == "__init__.py", is_test)


@cache
def _package(folder: str) -> str:
    if not os.path.exists(os.path.join(folder, "__init__.py")):
        return ""
    above = os.path.dirname(folder)
    return (_package(above) if above != folder else "") or os.path.basename(folder)
