"""What stands before a statement and is sure to have run when it does."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from firststep.lint.program.tree import DEFERRED

def statement_of(node: ast.AST) -> ast.stmt:
    """The statement that a node stands in."""
    while not isinstance(node, ast.stmt):
        node = node.up  # type: ignore[attr-defined]
    return node


def block_of(statement: ast.stmt) -> list[ast.stmt]:
    """The list of statements that this one stands in."""
    block: list[ast.stmt] = statement.block  # type: ignore[attr-defined]
    return block


def is_in(node: ast.AST, block: list[ast.stmt]) -> bool:
    """Whether a node is one of the statements of a block."""
    return getattr(node, "block", None) is block


def before(statement: ast.stmt) -> Iterator[ast.stmt]:
    """Statements that ran before this one, the nearest first, within its function: those above it in its block and around."""
    now: ast.AST = statement
    while isinstance(now, ast.stmt) and not isinstance(now, DEFERRED):
        block = block_of(now)
        yield from (block[place] for place in range(now.place - 1, -1, -1))  # type: ignore[attr-defined]
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
