"""What a program does again and again: loops around a node, in its own function or around the calls of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from firststep.lint.program import Program
from firststep.lint.program.blocks import is_in
from firststep.lint.program.changes import LOOPS, changing_inside, changing_names, made_of_names
from firststep.lint.program.counts import rounds_of_while
from firststep.lint.program.functions import calls_of, definition_of, enclosing, is_cached, is_traced, mentioned
from firststep.lint.program.tree import COMPREHENSIONS, DEFERRED, FUNCTIONS
from firststep.lint.program.values import at_most

FEWEST = 3  # rounds below which a loop is no cause of a slow start
FOLLOWED = 3  # calls from the node outwards
LEAVES = (ast.Break, ast.Return, ast.Raise)
MAPS = ("builtins.map", "itertools.starmap")  # they call their first argument for every element of the others
COLLECT = ("append", "add", "insert", "extend", "put", "setdefault", "appendleft", "push", "update", "heappush", "heappushpop",
           "heapreplace", "setattr", "register")  # functions and methods that put what they are given into a holder
PASSES_ON = (ast.Tuple, ast.List, ast.Set, ast.Dict, ast.IfExp, ast.Starred, ast.keyword, ast.NamedExpr)


@dataclass(frozen=True)
class Repetition:
    """`loop` goes round and runs the node each time. `changing`: names, where the node stands, that differ from round to round;
    `assigned`: names given a value in the loop. `call`: how the loop reaches the node's function; None where it stands in the loop."""

    loop: ast.AST
    changing: frozenset[str]
    assigned: frozenset[str]
    call: ast.Call | None = None


def repetition(program: Program, node: ast.AST, deep: int = FOLLOWED) -> Repetition | None:
    """The innermost loop that runs this node every round, whatever the data are; None where it may run only once."""
    outermost = None
    for step in _outwards(program, node):
        if step is None:
            return None
        if isinstance(step, Repetition):
            return step
        outermost = step
    return _by_calls(program, outermost, deep) if outermost is not None and deep else None


def _outwards(program: Program, node: ast.AST) -> Iterator[Repetition | ast.AST | None]:
    """From a node to the loop around it (a Repetition) or the function around it (a node); None: it may run once only."""
    below, above = node, node.up  # type: ignore[attr-defined]
    conditions: list[ast.expr] = []
    while above is not None:
        if isinstance(above, DEFERRED) and _in_body(above, below):
            inner = _by_maps(program, above) if isinstance(above, ast.Lambda) else above
            yield None if conditions else inner
            return
        if isinstance(above, ast.ClassDef) or _leaves_after(program, above, below):
            yield None
            return
        if isinstance(above, (ast.ExceptHandler, ast.Match)) or (isinstance(above, ast.BoolOp) and below is not above.values[0]):
            yield None
            return
        if isinstance(above, (ast.If, ast.IfExp)) and below is not above.test:
            conditions.append(above.test)
        loop = _loop(above, below)
        if loop is not None:
            found = _repetition(program, loop, conditions)
            if found is not _PASS:
                yield found  # type: ignore[misc]
                return
        below, above = above, above.up


_PASS = object()


def _loop(above: ast.AST, below: ast.AST) -> ast.AST | None:
    """`above`, if it is a loop that runs `below` every round."""
    if isinstance(above, (ast.For, ast.AsyncFor)):
        return above if is_in(below, above.body) else None
    if isinstance(above, ast.While):
        return above if is_in(below, above.body) or below is above.test else None
    if isinstance(above, COMPREHENSIONS):
        return above if not isinstance(below, ast.comprehension) else None
    return None


def _repetition(program: Program, loop: ast.AST, conditions: list[ast.expr]) -> object:
    """The repetition by a loop; `_PASS` where it goes round too seldom, None where the conditions differ from round to round."""
    iterables = [generator.iter for generator in getattr(loop, "generators", [])] or [getattr(loop, "iter", None)]
    known = rounds_of_while(loop) if isinstance(loop, ast.While) else at_most(program, iterables[0]) if iterables[0] is not None else None
    if known is not None and known < FEWEST:
        return _PASS
    changing, assigned = changing_names(program, loop)
    if any(_varies(condition, changing | assigned) for condition in conditions):
        return None
    return Repetition(loop, frozenset(changing), frozenset(assigned))


def _varies(condition: ast.expr, changing: set[str]) -> bool:
    """Whether a condition may hold in the first round alone: it asks what changes, what is there, or what a call says."""
    for node in ast.walk(condition):
        if isinstance(node, ast.Name) and node.id in changing:
            return True
        if isinstance(node, (ast.Call, ast.Not, ast.In, ast.NotIn, ast.Is, ast.IsNot, ast.Subscript)):
            return True
    return False


def _by_calls(program: Program, definition: ast.AST, deep: int) -> Repetition | None:
    """The loop around a call of the function that a node stands in."""
    if is_cached(program, definition) or _is_generator(program, definition) or is_traced(program, definition.body[0]):  # type: ignore[attr-defined]
        return None
    for call in calls_of(program, definition):
        found = repetition(program, call, deep - 1)
        if found is not None:
            changing = changing_inside(program, definition, call, found.changing)
            return Repetition(found.loop, changing, frozenset(_local_names(definition)), call)
    return _by_maps(program, definition)


def _by_maps(program: Program, definition: ast.AST) -> Repetition | None:
    """The `map(function, elements)` that calls the function for each element; what it is given changes."""
    for call in program.remembered(("maps",), lambda: _maps(program)).get(definition, ()):
        if not _goes_round(program, call.args[1:]):
            continue
        changing = frozenset(argument.arg for argument in ast.walk(definition.args) if isinstance(argument, ast.arg))  # type: ignore[attr-defined]
        return Repetition(call, changing, frozenset(_local_names(definition)) | changing, call)
    return None


def _maps(program: Program) -> dict[ast.AST | None, list[ast.Call]]:
    """The calls of `map` by the functions of the file that they call."""
    found: dict[ast.AST | None, list[ast.Call]] = {}
    for call in program.calls(*MAPS):
        if len(call.args) >= 2:
            found.setdefault(definition_of(program, call.args[0]), []).append(call)
    return found


def _goes_round(program: Program, iterables: list[ast.expr]) -> bool:
    """Whether there are more than a few elements: the shortest of the iterables ends a `map`."""
    known = [number for number in (at_most(program, one) for one in iterables) if number is not None]
    return not known or min(known) >= FEWEST


def _local_names(definition: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(definition) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _is_generator(program: Program, definition: ast.AST) -> bool:
    return program.remembered((definition, "generator"), lambda: any(isinstance(node, (ast.Yield, ast.YieldFrom))
                                                                     for node in ast.walk(definition)))


def _in_body(definition: ast.AST, below: ast.AST) -> bool:
    return definition.body is below or is_in(below, definition.body)  # type: ignore[attr-defined]


def _leaves_after(program: Program, above: ast.AST, below: ast.AST) -> bool:
    """Whether, after `below` ran, the loop around is left in any case: what stands in it runs once."""
    if isinstance(above, ast.Raise):
        return True
    if isinstance(above, DEFERRED) or not _in_loop(above):
        return False
    if isinstance(above, ast.Return):
        return True
    if isinstance(below, ast.stmt) and below.place < _last_leaving(program, below.block):  # type: ignore[attr-defined]
        return True
    following: list[list[ast.stmt]] = []
    if isinstance(above, ast.Try) and is_in(below, above.body):
        following = [above.orelse, above.finalbody]
    if isinstance(above, (ast.With, ast.AsyncWith)) and below in above.items:
        following = [above.body]
    return any(_last_leaving(program, block) >= 0 for block in following)


def _last_leaving(program: Program, block: list[ast.stmt]) -> int:
    """The place of the block's last statement that leaves a loop; -1 where it has none."""
    return program.remembered((id(block), "last leaving"), lambda: max(
        (place for place, statement in enumerate(block) if isinstance(statement, LEAVES)), default=-1))


def _in_loop(node: ast.AST) -> bool:
    """Whether a loop of the same function stands around the node, itself included."""
    above: ast.AST | None = node
    while above is not None and not isinstance(above, DEFERRED):
        if isinstance(above, LOOPS):
            return True
        above = above.up  # type: ignore[attr-defined]
    return False


def is_kept(program: Program, made: ast.AST) -> bool:
    """Whether what this expression makes is put where the round's end does not reach: a list, an attribute, the caller."""
    below, above = made, made.up  # type: ignore[attr-defined]
    while isinstance(above, PASSES_ON) or _collects(above, below):
        if _collects(above, below) or (isinstance(above, ast.NamedExpr) and _name_is_kept(program, above.target)):
            return True
        below, above = above, above.up
    if isinstance(above, (ast.Return, ast.Yield, ast.Lambda, *COMPREHENSIONS)):
        return True
    return any(not isinstance(target, ast.Name) or _name_is_kept(program, target) for target in _targets(above))


def given_to(made: ast.AST) -> list[ast.Name]:
    """The names that what an expression makes, alone or beside others, is given to."""
    above = made.up  # type: ignore[attr-defined]
    above = above.up if isinstance(above, ast.Tuple) else above  # type: ignore[attr-defined]
    return [target for target in _targets(above) if isinstance(target, ast.Name)]


def _targets(statement: ast.AST | None) -> list[ast.expr]:
    """What an assignment gives values to, one by one."""
    if isinstance(statement, (ast.AnnAssign, ast.NamedExpr)):
        return [statement.target]
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return [part for target in targets for part in (target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target])]


def _collects(above: ast.AST | None, below: ast.AST) -> bool:
    """`things.append(below)`, `things.update(name=below)`."""
    is_given = isinstance(above, ast.Call) and below in (*above.args, *above.keywords)
    return is_given and getattr(above.func, "attr", getattr(above.func, "id", "")) in COLLECT  # type: ignore[union-attr]


def _name_is_kept(program: Program, target: ast.Name) -> bool:
    """Whether the value of a name is collected, returned or stored somewhere in its function."""
    return program.remembered((target.scope.owner(target.id), target.id, "kept"), lambda: any(  # type: ignore[attr-defined]
        _is_put_away(program, use, FOLLOWED) for use in program.same_name(target) if isinstance(use.ctx, ast.Load)))


def _is_put_away(program: Program, use: ast.expr, deep: int) -> bool:
    """Whether a use gives the value to something else: `best = use`, `kept[k] = use`, `best = (loss, use)`, `yield use`, `keep(use)`."""
    below: Any = use
    above: Any = use.up  # type: ignore[attr-defined]
    while isinstance(above, PASSES_ON) and not isinstance(above, ast.NamedExpr):
        below, above = above, above.up  # type: ignore[union-attr]
    if isinstance(above, (ast.Return, ast.Yield, ast.NamedExpr, ast.arguments)) or _collects(above, below):
        return True
    if isinstance(above, ast.Call) and below is not above.func and deep:
        return _keeps_what_it_is_given(program, above, below, deep)
    if isinstance(above, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        return below is above.value
    function = enclosing(use, *DEFERRED)  # what a function speaks of is kept with it
    return isinstance(function, ast.Lambda) and deep > 0 and _is_put_away(program, function, deep - 1)


def _keeps_what_it_is_given(program: Program, call: ast.Call, given: ast.AST, deep: int) -> bool:
    """Whether a function of the file puts this argument away."""
    definition = definition_of(program, call.func)
    if not isinstance(definition, FUNCTIONS):
        return False
    places = [one.arg for one in [*definition.args.posonlyargs, *definition.args.args]]
    if isinstance(definition.up, ast.ClassDef) and isinstance(call.func, ast.Attribute):  # type: ignore[union-attr]
        places = places[1:]
    place = call.args.index(given) if given in call.args else len(places)
    name = given.arg if isinstance(given, ast.keyword) else places[place] if place < len(places) else None
    uses = [node for node in program.names.get(name or "", [])
            if isinstance(node.ctx, ast.Load) and node.scope.node is definition]  # type: ignore[attr-defined]
    return any(_is_put_away(program, node, deep - 1) for node in uses if not isinstance(node.up, ast.Return))  # type: ignore[attr-defined]


def ends_when_good(program: Program, made: ast.Call, repeated: Repetition) -> bool:
    """Whether the loop is left as soon as what is made in a round, or what comes of it, is as it shall be: that may be the first."""
    results = {name for one in (made, repeated.call) if one is not None for name in _names_given(one)}
    found = made_of_names(program, repeated.loop, results) | results
    if isinstance(repeated.loop, ast.While) and _asked_of(program, repeated.loop.test) & found:
        return True
    return any(mentioned(condition.test) & found for condition in _leaving(program, repeated.loop))


def _leaving(program: Program, loop: ast.AST) -> list[ast.If]:
    """The conditions that end a loop."""
    return program.remembered((loop, "leaving"), lambda: [one for one in ast.walk(loop) if isinstance(one, ast.If) and _leaves(one, loop)])


def _asked_of(program: Program, test: ast.expr) -> set[str]:
    """The names that a condition asks, but for how long something is: what is used up bit by bit takes many rounds."""
    lengths = {node for call in program.calls_in(test) if program.name(call.func) == "builtins.len" for node in ast.walk(call)}
    return {node.id for node in ast.walk(test) if isinstance(node, ast.Name) and node not in lengths}


def _names_given(made: ast.expr) -> set[str]:
    """The names that the statement of an expression gives values to."""
    above: ast.AST | None = made
    while isinstance(above, (ast.expr, ast.keyword)):
        above = above.up  # type: ignore[union-attr]
    return {name for target in _targets(above) for name in mentioned(target)} | {name.id for name in given_to(made)}


def _leaves(condition: ast.If, loop: ast.AST) -> bool:
    """Whether one side of a condition in a loop ends this loop, and no other one within it."""
    def ends(node: ast.AST) -> bool:
        if isinstance(node, ast.Return):
            return True
        return isinstance(node, ast.Break) and enclosing(node, *LOOPS) is loop

    return any(ends(node) for statement in [*condition.body, *condition.orelse] for node in ast.walk(statement))
