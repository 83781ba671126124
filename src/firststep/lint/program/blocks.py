"""What stands before a statement and is sure to have run when it does."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from firststep.lint.program.tree import DEFERRED

BLOCKS = ("body", "orelse", "finalbody")


def statement_of(node: ast.AST) -> ast.stmt:
    """The statement that a node stands in."""
    while not isinstance(node, ast.stmt):
        node = node.up  # type: ignore[attr-defined]
    return node


def block_of(statement: ast.stmt) -> list[ast.stmt]:
    """The list of statements that this one stands in."""
    above = statement.up  # type: ignore[attr-defined]
    for name in BLOCKS:
        block = getattr(above, name, None)
        if isinstance(block, list) and statement in block:
            return block
    return [statement]


def before(statement: ast.stmt) -> Iterator[ast.stmt]:
    """Statements that ran before this one, the nearest first, within its function: those above it in its block and around."""
    now: ast.AST = statement
    while isinstance(now, ast.stmt) and not isinstance(now, DEFERRED):
        block = block_of(now)
        yield from reversed(block[: block.index(now)])
        now = now.up  # type: ignore[attr-defined]
        if isinstance(now, (ast.For, ast.While, ast.AsyncFor)):
            yield now  # what a loop assigns may come from the round before
        while now is not None and not isinstance(now, ast.stmt) and not isinstance(now, ast.Module):
            now = now.up  # type: ignore[attr-defined]


def last_value(name: ast.Name) -> ast.expr | None:
    """What a name was given last before it is used here, where that was a plain assignment; None where it is not sure."""
    for statement in before(statement_of(name)):
        if isinstance(statement, ast.Assign) and any(isinstance(target, ast.Name) and target.id == name.id for target in statement.targets):
            return statement.value
        if may_bind(statement, name.id):
            return None
    return None


def may_bind(statement: ast.stmt, name: str) -> bool:
    """Whether a statement may give the name another meaning."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return statement.name == name
    names = (node for node in ast.walk(statement) if isinstance(node, ast.Name) and node.id == name)
    return any(isinstance(node.ctx, (ast.Store, ast.Del)) for node in names)
