"""What a loop gives its names: numbers of Python's own, or elements of a NumPy array, which are tensors to a trace."""

from __future__ import annotations

import ast
from typing import Any

from firststep.lint.program import Program
from firststep.lint.program.functions import stands_in, value_of
from firststep.lint.program.repetition import FEWEST
from firststep.lint.program.values import at_most

SPACED = ("numpy.linspace", "numpy.logspace", "numpy.geomspace", "numpy.arange")  # arrays whose elements are all different
SAME_ELEMENTS = ("builtins.reversed", "builtins.sorted", "builtins.list", "builtins.tuple")


def number_targets(program: Program, target: ast.expr, iterable: ast.expr) -> set[str]:
    """The names in a loop's target that are another Python number in each round, where these are more than a few."""
    if _is_short(program, iterable):
        return set()
    if isinstance(target, ast.Tuple):
        parts = _side_by_side(program, value_of(iterable))
        if len(parts) != len(target.elts) or any(_is_short(program, part) for part in parts):
            return set()
        return {name for one, part in zip(target.elts, parts) for name in _names_of_part(program, one, part)}
    return {target.id} if isinstance(target, ast.Name) and _gives_numbers(program, iterable) else set()


def _names_of_part(program: Program, target: ast.expr, part: ast.expr | None) -> set[str]:
    if part is not None:
        return number_targets(program, target, part)
    return {target.id} if isinstance(target, ast.Name) else set()


def _is_short(program: Program, iterable: ast.expr | None) -> bool:
    known = at_most(program, iterable) if iterable is not None else None
    return known is not None and known < FEWEST


def _side_by_side(program: Program, iterable: ast.expr | None) -> list[ast.expr | None]:
    """The iterables that `zip` or `enumerate` puts side by side, None for what `enumerate` counts; of anything else none."""
    if not isinstance(iterable, ast.Call) or any(isinstance(argument, ast.Starred) for argument in iterable.args):
        return []
    name = program.name(iterable.func)
    if name == "builtins.enumerate" and iterable.args:
        return [None, iterable.args[0]]
    return list(iterable.args) if name == "builtins.zip" else []


def _gives_numbers(program: Program, iterable: ast.expr) -> bool:
    value = value_of(iterable)
    if isinstance(value, (ast.List, ast.Tuple)):
        return _are_different_numbers(value.elts)
    if not isinstance(value, ast.Call):
        return False
    name = program.name(value.func)
    if name in SAME_ELEMENTS and value.args:
        return _gives_numbers(program, value.args[0])
    if isinstance(value.func, ast.Attribute) and value.func.attr == "tolist" and not value.args:
        return _is_spaced(program, value.func.value)
    return name == "builtins.range"


def _are_different_numbers(elements: list[ast.expr]) -> bool:
    values = [element.operand if isinstance(element, ast.UnaryOp) else element for element in elements]
    if any(not isinstance(value, ast.Constant) or type(value.value) not in (int, float) for value in values):
        return False
    return len({ast.unparse(element) for element in elements}) >= FEWEST


def _is_spaced(program: Program, expression: ast.expr) -> bool:
    value = value_of(expression)
    return isinstance(value, ast.Call) and program.name(value.func) in SPACED


def converted_element(program: Program, expression: ast.AST) -> bool:
    """Whether `float(x)` or `x.item()` makes a Python number of each element of an array, within the loop over it."""
    if not isinstance(expression, ast.Call):
        return False
    if program.name(expression.func) == "builtins.float" and len(expression.args) == 1:
        return _is_element(program, expression.args[0])
    is_item = isinstance(expression.func, ast.Attribute) and expression.func.attr == "item" and not expression.args
    return is_item and _is_element(program, expression.func.value)  # type: ignore[attr-defined]


def _is_element(program: Program, expression: ast.expr) -> bool:
    """Whether the loop around that gives a name its value here goes over an array whose elements differ; other loops may have used it."""
    loop = _binding_loop(expression)
    if loop is None:
        return False
    parts, names = [loop.iter], [loop.target]
    if isinstance(loop.target, ast.Tuple):
        parts, names = _side_by_side(program, value_of(loop.iter)), loop.target.elts
    own = [part for name, part in zip(names, parts) if getattr(name, "id", None) == expression.id]  # type: ignore[attr-defined]
    return len(parts) == len(names) and len(own) == 1 and own[0] is not None and _is_spaced(program, own[0])


def _binding_loop(expression: ast.expr) -> Any:
    """The innermost loop, or generator of a comprehension, that binds a name and that it stands in; None where there is none, or
    something else in it gives the name a value."""
    bindings = expression.scope.lookup(expression.id) if isinstance(expression, ast.Name) else []  # type: ignore[attr-defined]
    around = [one.node for one in bindings if one.kind == "loop" and stands_in(expression, _whole(one.node))]
    inner = [loop for loop in around if not any(stands_in(other, _whole(loop)) for other in around if other is not loop)]
    if len(inner) != 1 or any(one.node is not inner[0] and stands_in(one.node, _whole(inner[0])) for one in bindings):
        return None
    return inner[0]


def is_of_few(expression: ast.expr, fewer: int) -> bool:
    """Whether it is an element of a list or tuple that is written out, of so few, within the loop over that."""
    loop = _binding_loop(expression)
    value = value_of(loop.iter) if loop is not None else None
    return isinstance(value, (ast.List, ast.Tuple)) and len(value.elts) < fewer


def _whole(loop: Any) -> ast.AST:
    return loop if isinstance(loop, (ast.For, ast.AsyncFor)) else loop.up
