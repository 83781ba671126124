"""The rules: one module each, named as its id with underscores; its docstring is the page that users read.

`WORDS`: a file in which none of them stands is not parsed for the rule; `concerns(text, setting)`, where a rule has it, says the
same more narrowly. `check(program)` yields findings. What a rule holds for a fact about time or size stands in the module as data.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from inspect import cleandoc
from types import ModuleType

from firststep.lint.findings import LintFinding
from firststep.lint.program import Program, Setting


@dataclass(frozen=True)
class Rule:
    """One cause: its id, when a file is looked at for it, how it is found, and its explanation."""

    id: str
    words: tuple[str, ...]
    check: Callable[[Program], Iterator[LintFinding]]
    explanation: str
    narrower: Callable[[str, Setting], bool] | None = None

    def concerns(self, text: str, setting: Setting) -> bool:
        """Whether the rule can find anything in a text: cheap, asked before the text is parsed."""
        if not any(word in text for word in self.words):
            return False
        return self.narrower is None or self.narrower(text, setting)

    @property
    def title(self) -> str:
        """The first sentence of the explanation."""
        return self.explanation.split("\n\n")[0].replace("\n", " ").rstrip(".")


def ids() -> list[str]:
    """The ids of all rules, without importing them."""
    return sorted(name.replace("_", "-") for _, name, _ in pkgutil.iter_modules(__path__))


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule of this package, by id."""
    found = []
    for _, name, _ in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{name}")
        found.append(Rule(name.replace("_", "-"), module.WORDS, module.check, _with_values(cleandoc(module.__doc__ or ""), module),
                          getattr(module, "concerns", None)))
    return tuple(sorted(found, key=lambda rule: rule.id))


def _with_values(text: str, module: ModuleType) -> str:
    """The explanation, with the module's numbers in the place of what they are called there."""
    def value(found: re.Match[str]) -> str:
        held = getattr(module, found[0], None)
        return f"{held:,}" if isinstance(held, int) else found[0]

    return re.sub(r"\b[A-Z][A-Z_]{3,}\b", value, text)
