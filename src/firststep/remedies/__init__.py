"""The remedies that `boost` applies: one module each, its docstring the explanation.

A module is named as its remedy's id (underscores for hyphens). `ORDER` is its place in the plan: remedies start in
that order inside the program, before its first line. `SHORT` says in a few words what a start has of it. `SETTINGS` go
into the plan as they are. `NEEDS_CACHE` says whether it can do anything without a cache.
"""

from __future__ import annotations

import os
import sys


class Remedy:
    """One remedy: its id, what a start has of it in short words, its place among the others, its settings in the plan,
    and its explanation."""

    def __init__(self, id: str, short: str, order: int, needs_cache: bool, settings: dict[str, object], text: str) -> None:
        self.id = id
        self.short = short
        self.order = order
        self.needs_cache = needs_cache
        self.settings = settings
        self._text = text

    @property
    def explanation(self) -> str:
        """The docstring of its module."""
        from inspect import cleandoc  # 10 ms, which a boosted start does not wait for

        return cleandoc(self._text)

    @property
    def title(self) -> str:
        """The first sentence of the explanation."""
        return self.explanation.split("\n\n")[0].replace("\n", " ").rstrip(".")


def all_remedies() -> list[Remedy]:
    """Every remedy of this package, in the order of the plan."""
    found = []
    for file in os.listdir(os.path.dirname(__file__)):  # `pkgutil` and `importlib` take 5 ms, which a boosted start would wait for
        name, dot, ending = file.partition(".py")
        if not dot or ending or not name.isidentifier() or name == "__init__":
            continue
        __import__(f"{__name__}.{name}")
        module = sys.modules[f"{__name__}.{name}"]
        id_, text = name.replace("_", "-"), module.__doc__ or ""
        found.append(Remedy(id_, module.SHORT, module.ORDER, module.NEEDS_CACHE, module.SETTINGS, text))
    return sorted(found, key=lambda remedy: remedy.order)
