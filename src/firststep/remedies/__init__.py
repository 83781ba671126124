"""The remedies that `boost` applies: one module each, its docstring the explanation.

A module is named as its remedy's id (underscores for hyphens). `ORDER` is its place in the plan: remedies start in
that order inside the program, before its first line. `SHORT` says in a few words what a start has of it. `SETTINGS` go
into the plan as they are. `NEEDS_CACHE` says whether it can do anything without a cache.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from inspect import cleandoc
from typing import Any


@dataclass(frozen=True)
class Remedy:
    """One remedy: its id, what a start has of it in short words, its place among the others, its settings in the plan,
    and its explanation."""

    id: str
    short: str
    order: int
    needs_cache: bool
    settings: dict[str, Any]
    explanation: str

    @property
    def title(self) -> str:
        """The first sentence of the explanation."""
        return self.explanation.split("\n\n")[0].replace("\n", " ").rstrip(".")


def all_remedies() -> list[Remedy]:
    """Every remedy of this package, in the order of the plan."""
    found = []
    for _, name, _ in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{name}")
        id_, text = name.replace("_", "-"), cleandoc(module.__doc__ or "")
        found.append(Remedy(id_, module.SHORT, module.ORDER, module.NEEDS_CACHE, module.SETTINGS, text))
    return sorted(found, key=lambda remedy: remedy.order)
