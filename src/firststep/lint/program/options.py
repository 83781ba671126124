"""What runs only where an option of the program says so."""

from __future__ import annotations

import ast

from firststep.lint.program import Program
from firststep.lint.program.functions import calls_of, enclosing
from firststep.lint.program.tree import FUNCTIONS


def is_optional(program: Program, node: ast.AST) -> bool:
    """Whether a condition stands around a node, or around each call of the function that it stands in."""
    function = enclosing(node, *FUNCTIONS)
    calls = calls_of(program, function) if isinstance(function, FUNCTIONS) else []
    return _is_conditional(node) or bool(calls) and all(map(_is_conditional, calls))


def _is_conditional(node: ast.AST) -> bool:
    """Any condition but that the file is the program."""
    above, below = node.up, node  # type: ignore[attr-defined]
    while above is not None:
        if isinstance(above, ast.If) and below is not above.test and "__main__" not in ast.unparse(above.test):
            return True
        above, below = above.up, above
    return False
