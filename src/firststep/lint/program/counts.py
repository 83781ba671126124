"""Loops that count, where the source tells the numbers: `while` with a number of Python's, `for` over `range`."""

from __future__ import annotations

import ast

from firststep.lint.program import Program
from firststep.lint.program.blocks import last_value
from firststep.lint.program.functions import enclosing
from firststep.lint.program.tree import COMPREHENSIONS, DEFERRED
from firststep.lint.program.values import integer

# Where one of these stands between the loop and its function, or leads out of a round, AutoGraph may make a tensor of the count.
UNSURE = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.Match)
LEAVES = (ast.Break, ast.Continue, ast.Return)
PAST = {ast.Lt: 0, ast.LtE: 1, ast.Gt: 0, ast.GtE: -1}  # how far beyond the limit `range` has to end


def rounds_of_while(loop: ast.While) -> int | None:
    """The rounds of `while count < limit`, where `count` is a literal before the loop and each round adds the same number to it."""
    test = loop.test
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.left, ast.Name) or type(test.ops[0]) not in PAST:
        return None
    if isinstance(enclosing(loop, *UNSURE, *DEFERRED), UNSURE) or any(isinstance(node, LEAVES) for node in ast.walk(loop)):
        return None
    start, limit, step = integer(last_value(test.left)), integer(test.comparators[0]), _step(loop, test.left.id)
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


def _step(loop: ast.While, name: str) -> int | None:
    """What every round adds to a name, where nothing else in the loop gives it a value."""
    given = [node for node in ast.walk(loop) if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)]
    added = [node for node in loop.body if isinstance(node, ast.AugAssign) and node.target in given]
    if len(given) != 1 or len(added) != 1:
        return None
    step = integer(added[0].value)
    if isinstance(added[0].op, ast.Sub) and step is not None:
        step = -step
    return step if isinstance(added[0].op, (ast.Add, ast.Sub)) and step else None
