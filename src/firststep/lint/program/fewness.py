"""Where a loop that seems to go round often does a thing seldom: it is left early, a condition picks out a few rounds, or the number that
counts them is brought down to a few values."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from firststep.lint.program import Program
from firststep.lint.program.changes import LOOPS
from firststep.lint.program.functions import enclosing, mentioned, value_of
from firststep.lint.program.repetition import FEWEST
from firststep.lint.program.tree import COMPREHENSIONS, DEFERRED
from firststep.lint.program.values import at_most, integer

MANY = 8  # values below which they are a few
SMALLER = ("builtins.min",)
WHOLE = ("builtins.int", "builtins.round", "math.floor", "math.ceil")
# What a comparison says where it does not hold.
NEGATED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt, ast.In: ast.NotIn,
    ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}
# What it says of its right side.
MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
FROM_THERE_ON = (ast.NotEq, ast.NotIn, ast.IsNot, ast.Gt, ast.GtE)
REACHED = (ast.Eq, ast.Gt, ast.GtE)


def is_left_early(program: Program, loop: ast.AST, counters: Collection[str]) -> bool:
    """Whether a loop may end after a few rounds by a `break` or `return`, but for one that waits until a counter has come far."""
    return not all(_waits(node, counters) for node in program.remembered((loop, "ways out"), lambda: _ways_out(loop)))


def _ways_out(loop: ast.AST) -> list[ast.AST]:
    function = enclosing(loop, *DEFERRED)
    return [node for node in ast.walk(loop) if (isinstance(node, ast.Break) and enclosing(node, *LOOPS) is loop)
            or (isinstance(node, ast.Raise) and node.up is loop)  # type: ignore[attr-defined]
            or (isinstance(node, ast.Return) and enclosing(node, *DEFERRED) is function)]


def _waits(leaving: ast.AST, counters: Collection[str]) -> bool:
    """`if step >= last: break`."""
    condition = leaving.up  # type: ignore[attr-defined]
    if not isinstance(condition, ast.If) or leaving not in condition.body or not isinstance(condition.test, ast.Compare):
        return False
    compared = list(_of_counters(condition.test, counters, negated=False))
    return bool(compared) and all(issubclass(op, REACHED) and _is_far(other, counters) for op, other in compared)


def _is_far(limit: ast.expr, counters: Collection[str]) -> bool:
    number = integer(limit)
    return number >= FEWEST if number is not None else not mentioned(limit) & set(counters)


def is_guarded(program: Program, node: ast.AST, loop: ast.AST, counters: Collection[str]) -> bool:
    """Whether a condition between a loop and what stands in it picks a few rounds by their number."""
    match = enclosing(node, ast.Match, *LOOPS, *DEFERRED)
    if isinstance(match, ast.Match) and mentioned(match.subject) & set(counters):
        return True
    return any(_picks_few(program, value_of(condition) or condition, counters, negated) for condition, negated in _conditions(node, loop))


def _conditions(node: ast.AST, loop: ast.AST) -> Iterator[tuple[ast.expr, bool]]:
    """(condition, whether it must not hold) of all that decides whether a node in a loop is come to."""
    below, above = node, node.up  # type: ignore[attr-defined]
    while below is not loop and above is not None:
        if isinstance(above, ast.While) and above is not loop:
            yield above.test, False
        elif isinstance(above, ast.If) and below is not above.test:
            yield above.test, below in above.orelse
        elif isinstance(above, ast.IfExp) and below is not above.test:
            yield above.test, below is above.orelse
        elif isinstance(above, ast.BoolOp):
            yield from ((one, isinstance(above.op, ast.Or)) for one in above.values[: above.values.index(below)])  # type: ignore[arg-type]
        elif isinstance(above, COMPREHENSIONS):
            yield from ((test, False) for generator in above.generators for test in generator.ifs)
        for block in (getattr(above, "body", None), getattr(above, "orelse", None)):
            if isinstance(block, list) and below in block:
                yield from ((one.test, True) for one in block[: block.index(below)] if _goes_on(one))
        below, above = above, above.up


def _goes_on(statement: ast.stmt) -> bool:
    """`if condition: continue`."""
    return isinstance(statement, ast.If) and isinstance(statement.body[-1], ast.Continue)


def _picks_few(program: Program, condition: ast.expr, counters: Collection[str], negated: bool) -> bool:
    if isinstance(condition, ast.UnaryOp) and isinstance(condition.op, ast.Not):
        return _picks_few(program, condition.operand, counters, not negated)
    if isinstance(condition, ast.Name) and condition.id in counters:
        return negated
    for node in ast.walk(condition):
        if isinstance(node, ast.Compare) and any(_is_narrow(op, other) for op, other in _of_counters(node, counters, negated)):
            return True
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and mentioned(node.left) & set(counters):
            most, divisor = _most_rounds(program, node.left), integer(node.right)
            if most is not None and divisor and most // divisor < FEWEST:
                return True
    return False


def _of_counters(test: ast.Compare, counters: Collection[str], negated: bool) -> Iterator[tuple[type[ast.cmpop], ast.expr]]:
    """(how, with what) a comparison compares a counter by itself."""
    sides = [test.left, *test.comparators]
    for left, op, right in zip(sides, test.ops, sides[1:]):
        kind = NEGATED[type(op)] if negated else type(op)
        if isinstance(left, ast.Name) and left.id in counters:
            yield kind, right
        elif isinstance(right, ast.Name) and right.id in counters:
            yield MIRRORED.get(kind, kind), left


def _is_narrow(op: type[ast.cmpop], other: ast.expr) -> bool:
    """Whether few rounds are left where this holds, or it is not known how many: all from an early one on are many."""
    if not issubclass(op, FROM_THERE_ON):
        return True
    number = integer(other)
    return issubclass(op, (ast.Gt, ast.GtE)) and (number is None or number >= FEWEST)


def _most_rounds(program: Program, expression: ast.expr) -> int | None:
    """The rounds of the loop whose target an expression is made of, where the source tells them."""
    names = [node for node in ast.walk(expression) if isinstance(node, ast.Name)]
    loops = [binding.node for name in names for binding in name.scope.lookup(name.id) if binding.kind == "loop"]  # type: ignore[attr-defined]
    known = [at_most(program, loop.iter) for loop in loops]
    return max((number for number in known if number is not None), default=None) if None not in known else None


def is_bounded(program: Program, expression: ast.AST) -> bool:
    """Whether a number comes to a few values, or it is not known that it comes to many: `i % 2`, `i % n`, `i & 1`, `min(i, 3)`."""
    if isinstance(expression, ast.UnaryOp):
        return is_bounded(program, expression.operand)
    if isinstance(expression, ast.Call):
        name, given = program.name(expression.func), expression.args
        if name in WHOLE and given and isinstance(given[0], ast.BinOp) and isinstance(given[0].op, ast.Div):
            return _is_few_steps(program, given[0])
        return name in SMALLER and any(_is_small(one) for one in given) and not _divides(expression)
    if not isinstance(expression, ast.BinOp):
        return False
    number = integer(expression.right)
    if isinstance(expression.op, (ast.Mod, ast.BitAnd)):
        return number is None or number < MANY
    if isinstance(expression.op, ast.FloorDiv):
        return _is_few_steps(program, expression)
    return all(is_bounded(program, side) or integer(side) is not None for side in (expression.left, expression.right))


def _is_few_steps(program: Program, division: ast.BinOp) -> bool:
    """Whether the counter of a loop, divided so, takes a few steps until the loop ends."""
    most, number = _most_rounds(program, division.left), integer(division.right)
    return most is not None and bool(number) and most // number < FEWEST  # type: ignore[operator]


def _is_small(expression: ast.expr) -> bool:
    number = integer(expression)
    return number is not None and number < MANY


def _divides(expression: ast.AST) -> bool:
    """Whether a number may come to fractions, and so to many values below a limit."""
    nodes = list(ast.walk(expression))
    return any(isinstance(node, ast.Div) or (isinstance(node, ast.Constant) and isinstance(node.value, float)) for node in nodes)
