"""What is sure to be a number of Python's own: arithmetic with a tensor or an array gives a tensor or an array."""

from __future__ import annotations

import ast
from collections.abc import Collection

from firststep.lint.program import Program
from firststep.lint.program.elements import converted_element
from firststep.lint.program.tree import Binding

CONVERTS = ("builtins.int", "builtins.float")  # whatever they are given
COUNTS = ("builtins.len",)
KEEPS = ("builtins.round", "builtins.abs", "builtins.min", "builtins.max")  # numbers of numbers
CONSTANTS = ("math.pi", "math.e", "math.tau", "numpy.pi", "numpy.e")
TYPES = ("int", "float")
# What gives another of Python's own numbers at each call -> how many arguments without a name it may have: one more is an array's size.
DRAWN = {
    **{f"random.{name}": 3 for name in ("random", "uniform", "randint", "randrange", "gauss", "normalvariate", "triangular")},
    **{f"time.{name}": 0 for name in ("time", "perf_counter", "monotonic", "time_ns")},
    **dict.fromkeys(("numpy.random.rand", "numpy.random.randn", "numpy.random.random", "numpy.random.random_sample"), 0),
    **dict.fromkeys(("numpy.random.uniform", "numpy.random.normal", "numpy.random.randint", "numpy.random.beta"), 2),
}


def is_number(program: Program, expression: ast.AST, known: Collection[str] = ()) -> bool:
    """Whether an expression is one, where the names `known` are."""
    if isinstance(expression, ast.Constant):
        return type(expression.value) in (int, float)
    if isinstance(expression, ast.Name):
        return expression.id in known or _is_named(program, expression, known)
    if isinstance(expression, ast.UnaryOp):
        return not isinstance(expression.op, ast.Not) and is_number(program, expression.operand, known)
    if isinstance(expression, ast.BinOp):
        return is_number(program, expression.left, known) and is_number(program, expression.right, known)
    if isinstance(expression, ast.Call):
        if converted_element(program, expression) or is_drawn(program, expression):
            return True
        name = program.name(expression.func)
        return name in (*CONVERTS, *COUNTS) or (name in KEEPS and all(is_number(program, one, known) for one in expression.args))
    return program.name(expression) in CONSTANTS or (isinstance(expression, ast.Attribute) and ast.unparse(expression) in known)


def is_drawn(program: Program, expression: ast.AST) -> bool:
    """Whether a call gives another number each time: a random one, or the time."""
    if not isinstance(expression, ast.Call):
        return False
    most = DRAWN.get(program.name(expression.func) or "")
    starred = any(isinstance(argument, ast.Starred) for argument in expression.args)
    sized = any(keyword.arg in (None, "size", "dtype") for keyword in expression.keywords)
    return most is not None and len(expression.args) <= most and not starred and not sized


def stays_a_number(program: Program, place: ast.AST, counter: str) -> bool:
    """Whether the number of a loop is given nothing else: `i = tf.constant(i)` makes a tensor of it."""
    bindings = place.scope.lookup(counter)  # type: ignore[attr-defined]
    return all(binding.kind == "loop" or _is_bound(program, binding, {counter}) for binding in bindings)


def _is_named(program: Program, name: ast.Name, known: Collection[str]) -> bool:
    """Whether every value that the name is given is a number, as long as the name itself is one."""
    bindings = name.scope.lookup(name.id)  # type: ignore[attr-defined]
    known = frozenset((*known, name.id))
    key = (name.scope.owner(name.id), name.id, known, "number")  # type: ignore[attr-defined]
    return program.remembered(key, lambda: bool(bindings) and all(_is_bound(program, binding, known) for binding in bindings))


def _is_bound(program: Program, binding: Binding, known: Collection[str]) -> bool:
    if isinstance(binding.node, ast.arg):
        return _is_numeric_parameter(binding.node)
    value = binding.node.value if isinstance(binding.node, ast.AugAssign) else binding.value
    return binding.kind in ("value", "other") and value is not None and is_number(program, value, known)


def _is_numeric_parameter(parameter: ast.arg) -> bool:
    """Whether a parameter says by its type or its default that it is a number."""
    if parameter.annotation is not None:
        return isinstance(parameter.annotation, ast.Name) and parameter.annotation.id in TYPES
    arguments: ast.arguments = parameter.up  # type: ignore[attr-defined]
    placed = [*arguments.posonlyargs, *arguments.args]
    defaults = dict(zip(reversed(placed), reversed(arguments.defaults)))
    default = defaults.get(parameter) or dict(zip(arguments.kwonlyargs, arguments.kw_defaults)).get(parameter)
    return isinstance(default, ast.Constant) and type(default.value) in (int, float)
