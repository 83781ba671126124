"""Whose file it is: the user's, a library's, the import system's, or the agent's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

USER, LIBRARY, IMPORT_SYSTEM, RUNNER, AGENT, GENERATED = (
    "user",
    "library",
    "import system",
    "runner",
    "agent",
    "generated",
)

INSTALLED = re.compile(r".*/(?:site|dist)-packages/")
AGENT_FILE = re.compile(r".*/firststep_agent/(?:[a-z0-9_]+/)*[a-z0-9_]+\.py$")
GENERATED_FILE = re.compile(r"(?:.*/)?__autograph_generated_file[^/]*$")
"""Written by a framework from the user's function: it has neither the user's line numbers nor an owner."""

OWN_MODULES = "firststep_agent"
STARTERS = ("from multiprocessing.", "from joblib.externals.", "from loky.")
"""How the code after -c begins where it was a library that started the process."""


class Owner(NamedTuple):
    """kind: one of the constants above; package: for a library, the first part of its module's name."""

    kind: str
    package: str = ""


class Ownership:
    """Answers for one process, whose header names its interpreter's folders, and packages that pip has put elsewhere."""

    def __init__(self, header: Mapping[str, Any]) -> None:
        self._standard = tuple(_standard_folders(header))
        self._elsewhere = tuple(map(str, header.get("installed", ())))
        argv = [str(word) for word in header.get("argv", ())]
        code = argv[argv.index("-c") + 1 :][:1] if "-c" in argv else []
        self._code_is_the_users = bool(code) and not code[0].startswith(STARTERS)
        self.of = lru_cache(maxsize=None)(self._of)

    def _of(self, file: str) -> Owner:
        if file.startswith("<"):
            return self._unnamed(file)
        if AGENT_FILE.match(file):
            return Owner(AGENT)
        if GENERATED_FILE.match(file):
            return Owner(GENERATED)
        installed = INSTALLED.match(file)
        if installed:
            return Owner(LIBRARY, _package(file[installed.end() :]))
        place = place_elsewhere(file, self._elsewhere)
        if place:
            return Owner(LIBRARY, _package(place.rpartition("/")[2]))
        for folder in self._standard:
            if file.startswith(folder):
                return _standard(_package(file[len(folder) :]))
        return Owner(USER)

    def _unnamed(self, file: str) -> Owner:
        if file.startswith("<frozen "):
            return _standard(file[len("<frozen ") : -1].partition(".")[0])
        if file == "<stdin>" or file.startswith("<ipython"):
            return Owner(USER)
        if file == "<string>" and self._code_is_the_users:
            return Owner(USER)
        return Owner(GENERATED)


def place_elsewhere(file: str, places: Iterable[str]) -> str:
    """Which of these packages that were put elsewhere (`/app/vendor/requests`) a file is of; empty for none of them."""
    return next((place for place in places if file == place or file.startswith(place + "/")), "")


def _standard(package: str) -> Owner:
    if package in ("importlib", "zipimport", "pkgutil"):
        return Owner(IMPORT_SYSTEM, package)
    if package in ("runpy", "site"):
        return Owner(RUNNER, package)
    return Owner(LIBRARY, package)


def _standard_folders(header: Mapping[str, Any]) -> set[str]:
    """Folders of the standard library, each with a slash at its end."""
    version = ".".join(str(header.get("python", "")).split(".")[:2])
    folders = set()
    for prefix in (header.get("prefix"), header.get("base_prefix")):
        for lib in ("lib", "lib64"):
            folders.add(f"{prefix}/{lib}/python{version}/")
    return folders


def _package(inside: str) -> str:
    first = inside.partition("/")[0]
    return first.removesuffix(".py").partition(".")[0]
