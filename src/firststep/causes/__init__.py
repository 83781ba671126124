"""What makes starts slow: one module each, found by name. ONE FILE = ONE CAUSE.

A module is named as its cause's id (underscores for hyphens), a noun in the failing state. Its docstring is the page of
`docs/causes.md` and what `firststep explain` prints: what is slow, then `Symptom:`, `Why:`, `Confirmed by:`, `Remedy:` and `Source:`.
`GROUP` is its kind, `WATCHED` names the observers that it cannot do without, `FACTS` are the facts it may ask for,
`REMEDIES` what of boost's removes it, by id. `find(given)` returns what it found, or None. Thresholds are the module's data.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from inspect import cleandoc
from typing import Any

from firststep.analyse.facts import Fact, Facts
from firststep.model.findings import Found

GROUPS = ("import", "graph", "variables", "weights", "data", "devices", "outside", "sessions", "machine", "first run", "tools")


class Given(Facts):
    """The facts that one cause has declared; to ask for another is an error."""

    def __init__(self, facts: Facts, declared: tuple[Callable[..., Any], ...]) -> None:
        self.trace = facts.trace
        self._facts = facts
        self._declared = declared

    def __call__(self, fact: Callable[[Facts], Fact]) -> Fact:
        if fact not in self._declared:
            raise LookupError(f"{fact.__name__} is not among its FACTS")
        return self._facts(fact)


@dataclass(frozen=True)
class Cause:
    """One cause. page: its docstring, clean."""

    id: str
    group: str
    watched: tuple[str, ...]
    facts: tuple[Callable[..., Any], ...]
    remedies: tuple[str, ...]
    page: str
    find: Callable[[Facts], Found | None]

    @property
    def title(self) -> str:
        """What is slow, without the full stop."""
        return self.page.split("\n\n")[0].replace("\n", " ").rstrip(".")


@cache
def all_causes() -> tuple[Cause, ...]:
    """Every cause of this package, by id."""
    names = (name for _, name, _ in pkgutil.iter_modules(__path__) if not name.startswith("_"))
    return tuple(_cause(name) for name in sorted(names))


def _cause(name: str) -> Cause:
    module = importlib.import_module(f"{__name__}.{name}")
    return Cause(name.replace("_", "-"), module.GROUP, module.WATCHED, module.FACTS, module.REMEDIES,
                 cleandoc(module.__doc__ or ""), module.find)
