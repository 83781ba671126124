"""Loops that count, where the source tells the numbers: `while` with a number of Python's, `for` over `range`."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable

from firststep.lint.program import Program
from firststep.lint.program.blocks import last_value
from firststep.lint.program.functions import enclosing, value_of
from firststep.lint.program.tree import COMPREHENSIONS, DEFERRED
from firststep.lint.program.values import integer

# Where one of these stands between the loop and its function, or leads out of a round, AutoGraph may make a tensor of the count.
UNSURE = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.Match)
LEAVES = (ast.Break, ast.Continue, ast.Return)
PAST = {ast.Lt: 0, ast.LtE: 1, ast.Gt: 0, ast.GtE: -1}  # how far beyond the limit `range` has to end
HOLDS: dict[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge}
SCALES: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Mult: operator.mul, ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv}
MOST_ROUNDS = 5000  # a number that is scaled so often has come to its end, or never will


def rounds_of_while(loop: ast.While) -> int | None:
    """The rounds of `while count < limit`, where `count` is a literal before the loop, and each round adds the same number to it, or
    multiplies or divides it by one."""
    test = loop.test
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.left, ast.Name) or type(test.ops[0]) not in PAST:
        return None
    if isinstance(enclosing(loop, *UNSURE, *DEFERRED), UNSURE) or any(isinstance(node, LEAVES) for node in ast.walk(loop)):
        return None
    change = _change(loop, test.left.id)
    if change is None:
        return None
    if isinstance(change[0], tuple(SCALES)):
        return _scaled(_number(last_value(test.left)), _number(test.comparators[0]), type(test.ops[0]), *change)
    start, limit, step = integer(last_value(test.left)), integer(test.comparators[0]), _step(*change)
    if start is None or limit is None or step is None or (step > 0) != isinstance(test.ops[0], (ast.Lt, ast.LtE)):
        return None
    return max(0, -((start - limit - PAST[type(test.ops[0])]) // step))


def loop_numbers(program: Program, expression: ast.expr) -> range:
    """The numbers of the loop over `range` around an expression whose counter it is; none where the source does not tell them."""
    iterable = _counted_over(expression) if isinstance(expression, ast.Name) else None
    if not isinstance(iterable, ast.Call) or program.name(iterable.func) != "builtins.range" or iterable.keywords:
        return range(0)
    numbers = [integer(argument) for argument in iterable.args]
    if not 1 <= len(numbers) <= 3 or None in numbers or numbers[2:] == [0]:
        return range(0)
    return range(*numbers)  # type: ignore[arg-type]


def _counted_over(counter: ast.Name) -> ast.expr | None:
    """What the loop goes over that gives a name its value here, where nothing else in the loop gives it one."""
    loop = enclosing(counter, ast.For, *DEFERRED, *COMPREHENSIONS)
    while isinstance(loop, ast.For):
        named = [node for node in ast.walk(loop) if isinstance(node, ast.Name) and node.id == counter.id]
        given = [node for node in named if not isinstance(node.ctx, ast.Load)]
        if given:
            return loop.iter if given == [loop.target] else None
        loop = enclosing(loop, ast.For, *DEFERRED, *COMPREHENSIONS)
    generator = loop.generators[0] if isinstance(loop, COMPREHENSIONS) and len(loop.generators) == 1 else None
    return generator.iter if generator and getattr(generator.target, "id", None) == counter.id else None


def _change(loop: ast.While, name: str) -> tuple[ast.operator, ast.expr] | None:
    """The operator, and what stands beside the name, where every round makes a new number of it so: `count += 2`, `count = count * 2`,
    `count = 2 * count`; None where anything else in the loop may give it a value."""
    given = [node for node in ast.walk(loop) if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)]
    if len(given) != 1:
        return None
    for node in loop.body:
        if isinstance(node, ast.AugAssign) and node.target is given[0]:
            return node.op, node.value
        if isinstance(node, ast.Assign) and node.targets == given and isinstance(node.value, ast.BinOp):
            left, right = node.value.left, node.value.right
            if isinstance(left, ast.Name) and left.id == name:
                return node.value.op, right
            if isinstance(right, ast.Name) and right.id == name and isinstance(node.value.op, (ast.Add, ast.Mult)):
                return node.value.op, left
    return None


def _step(op: ast.operator, value: ast.expr) -> int | None:
    """What a change adds each time; None where it adds nothing that is known."""
    step = integer(value)
    if isinstance(op, ast.Sub) and step is not None:
        step = -step
    return step if isinstance(op, (ast.Add, ast.Sub)) and step else None


def _scaled(start: float | None, limit: float | None, test: type[ast.cmpop], op: ast.operator, value: ast.expr) -> int | None:
    """The rounds of a number that is multiplied or divided each time; None where that never ends, or is not known."""
    factor = _number(value)
    if start is None or limit is None or factor is None or factor <= 0:
        return None
    for done in range(MOST_ROUNDS):
        if not HOLDS[test](start, limit):
            return done
        changed = SCALES[type(op)](start, factor)
        if changed == start or not math.isfinite(changed):
            return None
        start = changed
    return None


def _number(expression: ast.expr | None) -> float | None:
    value = value_of(expression)
    if isinstance(value, ast.Constant) and type(value.value) is float:
        return value.value
    return integer(value)
