"""Imports at module level and where the names that they bind are used."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from firststep.lint.program import Program
from firststep.lint.program.names import is_none_value
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


IMPORT = re.compile(r"^[ \t]*(?:import|from)[ \t]+(.+)", re.MULTILINE)
MISSING = ("builtins.ImportError", "builtins.ModuleNotFoundError", "builtins.Exception")


def imported_packages(text: str) -> set[str]:
    """Packages that lines of a text seem to import, and other words in them: cheap, and never too few where no line is continued."""
    return {word for line in IMPORT.findall(text) for word in re.findall(r"\w+", line)}


def module_imports(program: Program) -> list[Imported]:
    """The imports that run with the module, whatever is asked of it."""
    return [one for statement in program.module.body for one in _imported(statement)]


def _imported(statement: ast.AST) -> list[Imported]:
    if isinstance(statement, ast.Import):
        return [Imported(statement, alias.asname or alias.name.split(".")[0], alias.name) for alias in statement.names]
    if isinstance(statement, ast.ImportFrom) and statement.level == 0 and statement.module:
        return [Imported(statement, alias.asname or alias.name, statement.module) for alias in statement.names if alias.name != "*"]
    return []


def imports_only(program: Program, packages: tuple[str, ...]) -> bool:
    """Whether all that the file imports, wherever in it, comes from these packages."""
    statements = program.tree.of(ast.Import, ast.ImportFrom)
    named = {name.split(".")[0] for node in statements for name in _modules(node)}
    return named <= {"__future__", *packages}


def _modules(node: ast.AST) -> list[str]:
    """What a statement imports, or imports from; "" stands for the project itself."""
    if isinstance(node, ast.ImportFrom):
        return ["" if node.level else node.module or ""]
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else []


def optional_imports(program: Program) -> list[Imported]:
    """Imports in a `try` of the module that does nothing else: where the library is missing, the name is None, or nothing."""
    found = []
    for block in program.module.body:
        if not isinstance(block, ast.Try) or block.orelse or block.finalbody:
            continue
        only_imports = all(isinstance(one, (ast.Import, ast.ImportFrom)) for one in block.body)
        if only_imports and all(_goes_without(program, one) for one in block.handlers):
            found += [one for statement in block.body for one in _imported(statement)]
    return found


def _goes_without(program: Program, handler: ast.ExceptHandler) -> bool:
    """Whether a handler only says that the library is missing, by None in its place."""
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type] if handler.type else []
    return all(program.name(one) in MISSING for one in caught) and all(_is_none(statement) for statement in handler.body)


def _is_none(statement: ast.AST) -> bool:
    return isinstance(statement, ast.Pass) or (isinstance(statement, ast.Assign) and is_none_value(statement.value))


def loaded_packages(program: Program) -> list[str]:
    """The package of each import statement that may run with the module: also in a `try`, under a condition or in a class; not for types
    alone."""
    statements = [node for node in program.tree.of(ast.Import, ast.ImportFrom) if function_around(node) is None and not _for_types(node)]
    return [package for node in statements for package in dict.fromkeys(one.package for one in _imported(node))]


def _for_types(node: ast.AST) -> bool:
    """`if TYPE_CHECKING:`, which no program runs."""
    below, above = node, node.up  # type: ignore[attr-defined]
    while above is not None:
        if isinstance(above, ast.If) and below in above.body and ast.unparse(above.test).split(".")[-1] == "TYPE_CHECKING":
            return True
        below, above = above, above.up
    return False


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
