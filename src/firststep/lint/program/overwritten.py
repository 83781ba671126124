"""Models whose weights are given other values before anything reads the first ones: what made them, itself or by a function."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from firststep.lint.program import Program
from firststep.lint.program.blocks import block_of, statement_of
from firststep.lint.program.functions import definition_of
from firststep.lint.program.keras import own_nodes, returned
from firststep.lint.program.tree import FUNCTIONS

FOLLOWED = 3  # functions that return what another one builds
HARMLESS = ("summary", "build", "compile", "add")  # methods of a model that read none of its values
STATUS = ("expect_partial", "assert_consumed", "assert_existing_objects_matched")  # of what a load gives


@dataclass(frozen=True)
class Maker:
    """A function of the file: the call whose model it returns, and all calls in it that may make layers of it."""

    made: ast.Call
    layers: tuple[ast.Call, ...]


def made_before(load: ast.Call) -> tuple[ast.Call | None, list[ast.Call]]:
    """(the call that made the model which is loaded into here, calls in it and after it that make its layers); None where anything in
    between may read its values, or where the two stand in different blocks."""
    target, statement = load.func.value, statement_of(load)  # type: ignore[attr-defined]
    given = [*load.args, *(keyword.value for keyword in load.keywords)]
    if not _is_known(target) or not _is_alone(load, statement) or any(_reads(one, target) for one in given):
        return None, []
    block, layers = block_of(statement), list[ast.Call]()
    for earlier in reversed(block[: block.index(statement)]):
        calls = [node for node in ast.walk(earlier) if isinstance(node, ast.Call)]
        value = _given(earlier, target)
        if value is not None:
            return (value, [*layers, *calls]) if isinstance(value, ast.Call) else (None, [])
        if _is_harmless(earlier, target):
            layers += calls
        elif _reads(earlier, target):
            break
    return None, []


def maker_of(program: Program, made: ast.Call, deep: int = FOLLOWED) -> Maker | None:
    """The function of the file that made a model, where it gives only one and reads none of its values."""
    definition = definition_of(program, made.func) if deep else None
    if not isinstance(definition, FUNCTIONS):
        return None
    nodes = own_nodes(definition)
    ends = [node.value for node in nodes if isinstance(node, ast.Return)]
    values = returned(definition)
    if len(ends) != 1 or len(values) != 1 or not isinstance(values[0], ast.Call) or ends[0] is None:
        return None
    if isinstance(ends[0], ast.Name) and any(_is_read(node, ends[0].id) for node in nodes):
        return None
    further = maker_of(program, values[0], deep - 1)
    layers = tuple(node for node in nodes if isinstance(node, ast.Call))
    return Maker(further.made, (*layers, *further.layers)) if further else Maker(values[0], layers)


def _is_read(node: ast.AST, name: str) -> bool:
    """Whether a node of a function is a use of a model by its name that may read its values."""
    if not isinstance(node, ast.Name) or node.id != name or not isinstance(node.ctx, ast.Load):
        return False
    above: Any = node.up  # type: ignore[attr-defined]
    return not isinstance(above, ast.Return) and not (isinstance(above, ast.Attribute) and above.attr in HARMLESS)


def _is_known(target: ast.expr) -> bool:
    """A name, or `self.name`."""
    return isinstance(target, ast.Name) or (isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name))


def _is_alone(load: ast.Call, statement: ast.stmt) -> bool:
    """Whether the statement loads and does nothing else: `model.load_weights(path)`, also with what it tells of it."""
    value = statement.value if isinstance(statement, (ast.Expr, ast.Assign)) else None
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in STATUS:
        value = value.func.value
    return value is load


def _given(statement: ast.stmt, target: ast.expr) -> ast.expr | None:
    """What a statement gives the target, and no other."""
    if isinstance(statement, ast.AnnAssign):
        return statement.value if _is_same(statement.target, target) else None
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and _is_same(statement.targets[0], target):
        return statement.value
    return None


def _is_same(one: ast.expr, other: ast.expr) -> bool:
    return ast.unparse(one) == ast.unparse(other)


def _is_harmless(statement: ast.stmt, target: ast.expr) -> bool:
    """`model.compile(...)` and the like, of this model and of no other use of it."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    func = value.func if isinstance(value, ast.Call) else None
    if not isinstance(func, ast.Attribute) or func.attr not in HARMLESS or not _is_same(func.value, target):
        return False
    given = [*value.args, *(keyword.value for keyword in value.keywords)]  # type: ignore[union-attr]
    return not any(_reads(one, target) for one in given)


def _reads(node: ast.AST, target: ast.expr) -> bool:
    """Whether anything within a node may read the target's values, by its name, or through the object that has it."""
    root = target.value if isinstance(target, ast.Attribute) else target
    return any(isinstance(inner, ast.Name) and inner.id == root.id and not _is_other(inner, target)  # type: ignore[attr-defined]
               for inner in ast.walk(node))


def _is_other(root: ast.Name, target: ast.expr) -> bool:
    """`self.units`, beside `self.model`: another attribute, which is not called."""
    above: Any = root.up  # type: ignore[attr-defined]
    if not isinstance(target, ast.Attribute) or not isinstance(above, ast.Attribute) or above.attr == target.attr:
        return False
    return not (isinstance(above.up, ast.Call) and above.up.func is above)  # type: ignore[attr-defined]
