"""What stands before a statement and is sure to have run when it does."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

from firststep.lint.program.tree import DEFERRED, FUNCTIONS, Scope

NAMED = (*FUNCTIONS, ast.ClassDef)


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
    for block, first, end in _stretches(statement):
        yield from (block[place] for place in range(end - 1, first - 1, -1))


def _stretches(statement: ast.stmt) -> Iterator[tuple[list[ast.stmt], int, int]]:
    """(block, first place, place one past the last) of the statements that ran before, the nearest stretch first."""
    now: Any = statement
    while isinstance(now, ast.stmt) and not isinstance(now, DEFERRED):
        yield block_of(now), 0, now.place  # type: ignore[attr-defined]
        now = now.up  # type: ignore[attr-defined]
        if isinstance(now, (ast.For, ast.While, ast.AsyncFor)):
            yield block_of(now), now.place, now.place + 1  # type: ignore[union-attr]  # what it assigns may come from the round before
        while now is not None and not isinstance(now, ast.stmt) and not isinstance(now, ast.Module):
            now = now.up


def binding_before(name: ast.Name) -> Iterator[ast.stmt]:
    """Those of `before` that may give a name another meaning than it has here."""
    scope: Scope = name.scope.top()  # type: ignore[attr-defined]
    if not scope.binders:
        scope.binders.update(_binders(scope.node))
    for block, first, end in _stretches(statement_of(name)):
        places = scope.binders.get((id(block), name.id), [])
        for which in range(bisect_left(places, end) - 1, bisect_left(places, first) - 1, -1):
            yield block[places[which]]


def _binders(module: ast.AST) -> dict[tuple[int, str], list[int]]:
    """By block and name, the places of the statements that may bind the name: of a function or class that stands in a block, only its
    own. Kept for the file, as a long one asks of many names what stands far above them."""
    found: dict[tuple[int, str], set[int]] = {}
    for node in ast.walk(module):
        for statement in _bind(node):
            name: str = getattr(node, "name", getattr(node, "id", ""))
            found.setdefault((id(block_of(statement)), name), set()).add(statement.place)  # type: ignore[attr-defined]
    return {key: sorted(places) for key, places in found.items()}


def _bind(node: Any) -> Iterator[ast.stmt]:
    """The statements that give a name its meaning by this node."""
    if isinstance(node, NAMED):
        yield node
    elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        above: Any = node.up  # type: ignore[attr-defined]
        while above is not None:
            if isinstance(above, ast.stmt) and not isinstance(above, NAMED):
                yield above
            above = above.up


def last_value(name: ast.Name) -> ast.expr | None:
    """What a name was given last before it is used here, where that was a plain assignment; None where it is not sure."""
    statement = next(binding_before(name), None)
    is_plain = isinstance(statement, ast.Assign) and any(getattr(target, "id", None) == name.id for target in statement.targets)
    return statement.value if is_plain else None  # type: ignore[union-attr]
