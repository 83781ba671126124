"""Values that can be read off the source: numbers, rounds of a loop, how a string ends."""

from __future__ import annotations

import ast
from collections.abc import Callable

from firststep.lint.program import Program
from firststep.lint.program.functions import value_of

LARGEST = 2**62  # beyond it no size is meant
DEEP = 20  # expressions within expressions
NESTED = 4  # `zip` within `zip`
OPERATIONS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.FloorDiv: lambda a, b: a // b if b else 0,
    ast.Pow: lambda a, b: a**b if 0 <= b <= 62 and abs(a) <= 1000 else LARGEST + 1,
}
AS_MANY = {f"builtins.{name}" for name in ("enumerate", "reversed", "sorted", "list", "tuple", "iter")}  # elements as in their argument
SIDE_BY_SIDE = ("builtins.zip", "builtins.enumerate", "builtins.map")
VIEWS = ("items", "keys", "values")
GROW = ("append", "extend", "insert", "add", "update", "setdefault")


def integer(expression: ast.AST | None, deep: int = DEEP) -> int | None:
    """The number that an expression of literals and names bound once comes to."""
    expression = value_of(expression)
    if expression is None or deep == 0:
        return None
    if isinstance(expression, ast.Constant):
        return expression.value if type(expression.value) is int and abs(expression.value) <= LARGEST else None
    if isinstance(expression, ast.UnaryOp) and isinstance(expression.op, ast.USub):
        value = integer(expression.operand, deep - 1)
        return -value if value is not None else None
    if isinstance(expression, ast.BinOp) and type(expression.op) in OPERATIONS:
        left, right = integer(expression.left, deep - 1), integer(expression.right, deep - 1)
        if left is None or right is None:
            return None
        value = OPERATIONS[type(expression.op)](left, right)
        return value if abs(value) <= LARGEST else None
    return None


def rounds(program: Program, iterable: ast.AST, deep: int = NESTED) -> int | None:
    """How often a loop over this goes round, where the source says it."""
    expression = value_of(iterable)
    if isinstance(expression, (ast.List, ast.Tuple, ast.Set, ast.Dict)):
        return None if expression is not iterable and _grows(program, iterable) else _literal_length(expression)
    if not isinstance(expression, ast.Call) or deep == 0:
        return None
    name, args = program.name(expression.func), expression.args
    if isinstance(expression.func, ast.Attribute) and expression.func.attr in VIEWS and not args:
        return rounds(program, expression.func.value, deep - 1)
    if name in AS_MANY and args:
        return rounds(program, args[0], deep - 1)
    if name == "builtins.zip":
        numbers = [rounds(program, one, deep - 1) for one in args]
        return min((number for number in numbers if number is not None), default=None) if None not in numbers else None
    return _range_length(expression) if name == "builtins.range" else None


def at_most(program: Program, iterable: ast.AST, deep: int = NESTED) -> int | None:
    """The same, or more: the shortest of what `zip` and `enumerate` put side by side ends the loop, whatever the others are."""
    expression = value_of(iterable)
    if not isinstance(expression, ast.Call) or not deep or program.name(expression.func) not in SIDE_BY_SIDE:
        return rounds(program, iterable)
    known = [at_most(program, one, deep - 1) for one in expression.args]
    return min((number for number in known if number is not None), default=None)


def _literal_length(literal: ast.List | ast.Tuple | ast.Set | ast.Dict) -> int | None:
    """Its elements, if it has any that are seen: an empty one is filled somewhere."""
    elements = literal.keys if isinstance(literal, ast.Dict) else literal.elts
    unseen = any(element is None or isinstance(element, ast.Starred) for element in elements)
    return None if unseen else len(elements) or None


def _grows(program: Program, name: ast.AST) -> bool:
    """Whether a method or a key may give more elements to what a name stands for."""
    uses = program.names.get(name.id, []) if isinstance(name, ast.Name) else []
    for use in uses:
        above = use.up  # type: ignore[attr-defined]
        if isinstance(above, ast.Subscript) and above.value is use and not isinstance(above.ctx, ast.Load):
            return True
        if isinstance(above, ast.Attribute) and above.attr in GROW:
            return True
    return False


def _range_length(call: ast.Call) -> int | None:
    if call.keywords or not 1 <= len(call.args) <= 3:
        return None
    numbers = [number for number in map(integer, call.args) if number is not None]
    if len(numbers) < len(call.args) or (len(numbers) == 3 and numbers[2] == 0):
        return None
    start, stop = (0, numbers[0]) if len(numbers) == 1 else numbers[:2]
    step = numbers[2] if len(numbers) == 3 else 1
    return max(0, -((start - stop) // step))


def is_true(expression: ast.AST | None) -> bool:
    return isinstance(expression, ast.Constant) and expression.value is True


def argument(call: ast.Call, place: int | None, name: str) -> ast.expr | None:
    """An argument by its place or its name."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    before = call.args[: place + 1] if place is not None else []
    if place is None or place >= len(call.args) or any(isinstance(arg, ast.Starred) for arg in before):
        return None
    return call.args[place]


def ending(program: Program, expression: ast.AST | None, deep: int = DEEP) -> str:
    """How the string ends that an expression comes to: its last literal part; "" where none is seen."""
    expression = value_of(expression)
    if expression is None or deep == 0:
        return ""
    if isinstance(expression, ast.Constant):
        return expression.value if isinstance(expression.value, str) else ""
    if isinstance(expression, ast.JoinedStr):
        return ending(program, expression.values[-1], deep - 1) if expression.values else ""
    if isinstance(expression, ast.BinOp) and isinstance(expression.op, (ast.Add, ast.Div)):
        return ending(program, expression.right, deep - 1)
    if isinstance(expression, ast.BinOp) and isinstance(expression.op, ast.Mod):
        return ending(program, expression.left, deep - 1)
    if isinstance(expression, ast.Call):
        if isinstance(expression.func, ast.Attribute) and expression.func.attr in ("format", "as_posix", "resolve", "absolute"):
            return ending(program, expression.func.value, deep - 1)
        return ending(program, expression.args[-1], deep - 1) if expression.args else ""
    return ""
