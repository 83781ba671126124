"""Whether a tensor can take the place of a Python number that a function is given: a number takes the type of what it is computed with,
a tensor has one of its own, and what has another cannot be computed with it."""

from __future__ import annotations

import ast

from firststep.lint.program import Program
from firststep.lint.program.elements import SPACED
from firststep.lint.program.holders import made_of
from firststep.lint.program.numbers import DRAWN
from firststep.lint.program.tree import Binding, Deferred, Scope
from firststep.lint.program.values import argument

INT, FLOAT = "int32", "float32"  # what `tf.constant` makes of Python's numbers
FILLED = {"tensorflow.ones": 1, "tensorflow.zeros": 1, "tensorflow.random.normal": 3, "tensorflow.random.uniform": 4}
# These have the type of what they are given.
OF_VALUES = {"tensorflow.constant": 1, "tensorflow.convert_to_tensor": 1, "tensorflow.Variable": 6, "tensorflow.range": 3}
MADE = {**FILLED, **OF_VALUES}  # what makes a tensor, and the place of its `dtype`
ASSIGN = ("assign", "assign_add", "assign_sub")
WHOLE = ("builtins.int", "builtins.len", "builtins.round", "random.randint", "random.randrange", "time.time_ns", "numpy.random.randint")
ANY = ("tensorflow.cast", "tensorflow.print", "tensorflow.range", "tensorflow.summary.", "builtins.print")  # they take whatever type


def takes_tensor(program: Program, definition: Deferred | None, call: ast.Call, given: ast.expr) -> bool:
    """Whether all that a function computes with this argument of a call has the type that `tf.constant` gives it."""
    arguments = arguments_of(definition, call) if definition is not None else {}
    parameter = next((one for one, value in arguments.items() if value is given), None)
    kind = type_of(program, given)
    if parameter is None or kind is None:
        return False
    known = {one.arg: type_of(program, value) for one, value in arguments.items()
             if len(one.scope.lookup(one.arg)) == 1}  # type: ignore[attr-defined]
    uses = program.meant(parameter.scope, parameter.arg)  # type: ignore[attr-defined]
    return all(isinstance(use.ctx, ast.Load) and _agrees(program, use, kind, known) for use in uses)


def arguments_of(definition: Deferred, call: ast.Call) -> dict[ast.arg, ast.expr]:
    """What a call gives to the parameters that it says."""
    placed = [*definition.args.posonlyargs, *definition.args.args]
    if isinstance(definition.up, ast.ClassDef) and isinstance(call.func, ast.Attribute):  # type: ignore[union-attr]
        placed = placed[1:]
    if any(isinstance(one, ast.Starred) for one in call.args):
        return {}
    named = {one.arg: one.value for one in call.keywords}
    return {**dict(zip(placed, call.args)), **{one: named[one.arg] for one in [*placed, *definition.args.kwonlyargs] if one.arg in named}}


def _agrees(program: Program, use: ast.expr, kind: str, known: dict[str, str | None]) -> bool:
    """Whether a use of the parameter computes what it did, or is printed, cast or given back."""
    node, above = use, use.up  # type: ignore[attr-defined]
    while isinstance(above, (ast.UnaryOp, ast.BinOp, ast.Compare)):
        others = [one for one in ast.iter_child_nodes(above) if isinstance(one, ast.expr) and one is not node]
        if isinstance(above, ast.BinOp) and isinstance(above.op, ast.Div) and kind == INT:
            return False  # of whole numbers it makes float64
        if not all(_is_literal(one, kind) for one in others):
            return all(_is_literal(one, kind) or _type_inside(program, one, known) == kind for one in others)
        node, above = above, above.up  # type: ignore[union-attr]
    if isinstance(above, ast.Call) and node is not above.func:
        if isinstance(above.func, ast.Attribute) and above.func.attr in ASSIGN:
            return _type_inside(program, above.func.value, known) == kind
        return (program.name(above.func) or "").startswith(ANY)
    return isinstance(above, (ast.Return, ast.Lambda, ast.Expr, ast.If, ast.While)) or isinstance(node, ast.Compare)


def _type_inside(program: Program, expression: ast.expr, known: dict[str, str | None]) -> str | None:
    """The type of what stands in the function, where that of its parameters is known."""
    return known[expression.id] if isinstance(expression, ast.Name) and expression.id in known else type_of(program, expression)


def _is_literal(expression: ast.expr, kind: str) -> bool:
    """Whether it is a Python number that a tensor of this type takes."""
    return isinstance(expression, ast.Constant) and type(expression.value) in ((int,) if kind == INT else (int, float))


def type_of(program: Program, expression: ast.expr | None, seen: frozenset[str] = frozenset()) -> str | None:
    """The type of a tensor, or of what `tf.constant` makes of a Python number; None where it is not sure. A name that is computed from
    itself (`seen`) has the type of the rest."""
    if isinstance(expression, ast.Constant):
        return {int: INT, float: FLOAT}.get(type(expression.value))
    if isinstance(expression, ast.Name):
        return INT if expression.id in seen else _of_name(program, expression, seen | {expression.id})
    if isinstance(expression, ast.Attribute):
        return type_of(program, made_of(program, expression), seen)
    if isinstance(expression, (ast.List, ast.Tuple)):
        return _one([type_of(program, one, seen) for one in expression.elts])
    if isinstance(expression, ast.UnaryOp):
        return type_of(program, expression.operand, seen)
    if isinstance(expression, ast.BinOp):
        sides = _one([type_of(program, one, seen) for one in (expression.left, expression.right)])
        return None if isinstance(expression.op, ast.Div) and sides != FLOAT else sides
    return _of_call(program, expression, seen) if isinstance(expression, ast.Call) else None


def _of_name(program: Program, name: ast.Name, seen: frozenset[str]) -> str | None:
    scope: Scope = name.scope  # type: ignore[attr-defined]
    return program.remembered((scope.owner(name.id), name.id, seen, "type"), lambda: _one(
        [_bound(program, one, name.id, seen) for one in scope.lookup(name.id)]))


def _one(found: list[str | None]) -> str | None:
    """The type that numbers of these have together: of whole and other ones, that of the others."""
    known = {one for one in found if one is not None}
    if not known or None in found or not (len(known) == 1 or known == {INT, FLOAT}):
        return None
    return FLOAT if FLOAT in known else known.pop()


def _bound(program: Program, binding: Binding, name: str, seen: frozenset[str]) -> str | None:
    if binding.kind == "loop":
        return _counted(program, binding.node, name, seen)
    value = binding.node.value if isinstance(binding.node, ast.AugAssign) else binding.value
    return type_of(program, value, seen) if not isinstance(binding.node, (ast.With, ast.AsyncWith)) else None


def _counted(program: Program, loop: ast.AST, name: str, seen: frozenset[str]) -> str | None:
    """The type of what a loop or comprehension goes over, where that is a range, a literal list or what `enumerate` counts."""
    target, iterable = loop.target, loop.iter  # type: ignore[attr-defined]
    called = program.name(iterable.func) if isinstance(iterable, ast.Call) else None
    if isinstance(target, ast.Name) and getattr(getattr(iterable, "func", None), "attr", "") == "tolist":
        return _of_array(program, iterable.func.value, seen)
    if isinstance(target, ast.Name):
        return INT if called == "builtins.range" else type_of(program, iterable, seen) if isinstance(iterable, ast.List) else None
    first = target.elts[0] if isinstance(target, ast.Tuple) else None
    return INT if called == "builtins.enumerate" and getattr(first, "id", None) == name else None


def _of_array(program: Program, array: ast.expr, seen: frozenset[str]) -> str | None:
    """The type of the Python numbers that an array of NumPy gives."""
    name = program.name(array.func) if isinstance(array, ast.Call) and not array.keywords else None
    if name == "numpy.arange":
        return _one([type_of(program, one, seen) for one in array.args])  # type: ignore[attr-defined]
    return FLOAT if name in SPACED else None


def _of_call(program: Program, call: ast.Call, seen: frozenset[str]) -> str | None:
    name = program.name(call.func) or ""
    if name in WHOLE:
        return INT
    if name == "builtins.float" or name in DRAWN:
        return FLOAT
    dtype = argument(call, MADE[name], "dtype") if name in MADE else None
    if dtype is not None:
        return (program.name(dtype) or "").removeprefix("tensorflow.") or None
    if name in OF_VALUES:
        return _one([type_of(program, one, seen) for one in call.args])
    return FLOAT if name in FILLED else None
