"""Imports at module level and where the names that they bind are used."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from firststep.lint.program import Program
from firststep.lint.program.tree import FUNCTIONS, Function


@dataclass(frozen=True)
class Imported:
    """A name bound by an import statement that stands directly in the module. `module`: what is imported, "pandas.io"."""

    statement: ast.Import | ast.ImportFrom
    name: str
    module: str

    @property
    def package(self) -> str:
        return self.module.split(".")[0]


IMPORT = re.compile(r"^(?:import|from)[ \t]+(\w+)", re.MULTILINE)


def imported_packages(text: str) -> set[str]:
    """Packages that lines of a text seem to import at module level: cheap, and never too few where imports have lines of their own."""
    return set(IMPORT.findall(text))


def module_imports(program: Program) -> list[Imported]:
    """The imports that run with the module, whatever is asked of it."""
    found = []
    for statement in program.module.body:
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                found.append(Imported(statement, alias.asname or alias.name.split(".")[0], alias.name))
        elif isinstance(statement, ast.ImportFrom) and statement.level == 0 and statement.module:
            found += [Imported(statement, alias.asname or alias.name, statement.module) for alias in statement.names if alias.name != "*"]
    return found


def uses(program: Program, name: str) -> list[ast.Name]:
    """Every place that means the module's own name."""
    return [node for node in program.names.get(name, []) if node.scope.owner(name) is program.scope]  # type: ignore[attr-defined]


def function_around(use: ast.AST) -> Function | None:
    """The outermost function whose body a use stands in; None where it runs with the module."""
    found: Function | None = None
    below, above = use, use.up  # type: ignore[attr-defined]
    while above is not None:
        if isinstance(above, FUNCTIONS) and below in above.body:
            found = above
        below, above = above, above.up
    return found


def is_marked(program: Program, statement: ast.stmt) -> bool:
    """Whether a comment says that the import is meant: `noqa`, or another linter's word for it."""
    lines = program.lines[statement.lineno - 1 : statement.end_lineno]
    return any(word in line for line in lines for word in ("noqa", "pylint:", "isort:", "pragma:", "type: ignore"))


def exported(program: Program) -> set[str]:
    """Names that the module's `__all__` gives away, and every string in it that may be such a name."""
    bindings = program.scope.names.get("__all__", [])
    return {node.value for binding in bindings for node in ast.walk(binding.node)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)}
