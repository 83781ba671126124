"""The program's source files. AutoGraph reads them when it traces, whatever they were when the program was loaded."""

import sys

from firststep_agent import kinds, ownership
from firststep_agent.as_found import os
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def files(main: "Any" = None) -> "list[str]":
    """Those of the modules that are loaded and are neither a framework's nor the standard library's. main: the program's own, if any."""
    found = [main, *map(kinds.file_of, list(sys.modules.values()))]
    return sorted({file for file in found if type(file) is str and ownership.owner(file) == ownership.USER and not _is_generated(file)})


def stamp(path: str) -> "list[int] | None":
    """What tells a version of a file from another; None where there is none."""
    return _stamp(_found(path))


def _stamp(found: "os.stat_result | None") -> "list[int] | None":
    return None if found is None else [found.st_mtime_ns, found.st_size]


def _found(path: str) -> "os.stat_result | None":
    try:
        return os.stat(path)
    except OSError as error:
        if is_theirs(error):
            raise
        return None


def _was_there(loader: object, name: object) -> bool:
    """Whether a module was read from the file that it names, and not from a part of one, or none at all: a program that another one runs
    (`runpy`) has no loader."""
    return kinds.name(type(loader)) == "SourceFileLoader" or (loader is None and name == "__main__")


def _is_programs(path: str) -> bool:
    return ownership.owner(path) == ownership.USER and not _is_generated(path) and not ownership.is_installed(path)


class Sources:
    """They as they are now, installed ones apart."""

    def __init__(self) -> None:
        self._found: dict[str, os.stat_result | None] = {}
        self._gone: str | None = None
        for module in list(sys.modules.values()):
            own = kinds.own(module)
            path = own.get("__file__")
            if type(path) is str and path not in self._found and _is_programs(path):
                found = self._found[path] = _found(path)
                if found is None and _was_there(own.get("__loader__"), own.get("__name__")):
                    self._gone = path

    def changed_since(self, since_ns: int) -> "str | None":
        """In words which of the files that Python has read the program's code from is gone, or another, since then (by the clock of their
        file system), or None. Not by when it was written, which is whatever somebody likes."""
        if self._gone is not None:
            return f"the program's file {self._gone} is gone"
        return next((f"the program's file {path} has changed" for path, found in self._found.items()
                     if found is not None and found.st_ctime_ns > since_ns), None)

    def changed(self) -> "str | None":
        """In words which of them is another by now, or None."""
        return next((f"the program's file {path} has changed" for path, before in self._found.items()
                     if stamp(path) != _stamp(before)), None)


def _is_generated(file: str) -> bool:
    """AutoGraph's are of one process, which removes them at its end."""
    return os.path.basename(file).startswith(ownership.GENERATED)
