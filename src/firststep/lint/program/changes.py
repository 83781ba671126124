"""What differs from round to round: names, by what gives them their values, in a loop and in the functions that it calls."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from firststep.lint.program import Program
from firststep.lint.program.chance import gives_another
from firststep.lint.program.functions import definition_of, mentioned
from firststep.lint.program.tree import COMPREHENSIONS, FUNCTIONS

FOLLOWED = 3  # functions that call each other
LOOPS = (ast.For, ast.AsyncFor, ast.While)
# What these give is the same thing whenever they are called with the same arguments.
STEADY = ("keras.", "tensorflow.", "numpy.zeros", "numpy.ones", "builtins.")
CHANGES = ("append", "extend", "insert", "add", "update", "setdefault", "remove", "pop", "clear", "sort")  # methods that change a holder
SAYS = ("info", "debug", "warning", "log")  # methods that tell somebody, and change nothing
Source = tuple[set[str], set[str], bool]
"""(names that are given a value, names it is made of, whether it may be another one although these are the same)."""


def changing_names(program: Program, loop: ast.AST) -> tuple[set[str], set[str]]:
    """(names that differ from round to round, all names that the loop gives a value)."""
    return program.remembered((loop, "changing names"), lambda: _changing_names(program, loop))


def _changing_names(program: Program, loop: ast.AST) -> tuple[set[str], set[str]]:
    changing = targets_of(loop)
    for node in ast.walk(loop):
        if isinstance(node, (*LOOPS, *COMPREHENSIONS)):
            changing |= targets_of(node)
    sources = list(_sources(program, loop, lambda value: _unsteady(program, value)))
    assigned = changing | {node.name for node in ast.walk(loop) if isinstance(node, (*FUNCTIONS, ast.ClassDef))}
    return _spread(changing, sources), assigned.union(*(names for names, _, _ in sources))


def made_of_names(program: Program, around: ast.AST, names: set[str]) -> set[str]:
    """These names, and all that a node makes of them."""
    sources = program.remembered((around, "sources"), lambda: [(given, used, False) for given, used, _ in
                                                               _sources(program, around, lambda value: False)])
    return _spread(names, sources)


def changing_inside(program: Program, definition: ast.AST, call: ast.Call, changing: frozenset[str]) -> frozenset[str]:
    """Names within a function that differ from call to call, where `changing` differ where it is called: parameters, what is made of
    them, and names that both know."""
    key = (definition, call, changing, "changing inside")
    return program.remembered(key, lambda: _inside(program, definition, call, changing, lambda value: _unsteady(program, value)))


def gives_another_result(program: Program, call: ast.Call, changing: frozenset[str], deep: int = FOLLOWED) -> bool:
    """Whether what a call gives may depend on what changes, or on chance: where its function stands in the file, by all that this does
    but for what it says, and how it names things."""
    return program.remembered((call, changing, deep, "another result"), lambda: _gives_another_result(program, call, changing, deep))


def _gives_another_result(program: Program, call: ast.Call, changing: frozenset[str], deep: int) -> bool:
    definition = definition_of(program, call.func) if deep else None
    if definition is None:
        given = [*call.args, *call.keywords]
        return any(is_decisive(program, one, changing) or gives_another(program, one) for one in (call.func, *given))
    inside = _inside(program, definition, call, changing, lambda value: gives_another(program, value))
    body = _body(definition)
    if any(gives_another(program, statement) or is_decisive(program, statement, inside) for statement in body):
        return True
    return any(definition_of(program, node.func) and gives_another_result(program, node, inside | changing, deep - 1)
               for statement in body for node in program.calls_in(statement))


def is_decisive(program: Program, node: ast.AST, changing: frozenset[str]) -> bool:
    """Whether anything within a node depends on these names, but for what is printed and what a thing is called."""
    return any(isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load) and name.id in changing and not _is_idle(program, name, node)
               for name in ast.walk(node))


def _is_idle(program: Program, name: ast.AST, within: ast.AST) -> bool:
    """Whether a name is only told, is part of `name=...`, or of what another name is given (which is then asked itself)."""
    below: ast.AST = name
    while True:
        above = below.up  # type: ignore[attr-defined]
        if _is_label(program, below):
            return True
        if isinstance(above, ast.Assign):
            return all(isinstance(target, ast.Name) for target in above.targets)
        if isinstance(above, ast.Expr):
            return _only_says(program, below)
        if below is within or not isinstance(above, (ast.expr, ast.keyword)):
            return False
        below = above


def _is_label(program: Program, node: ast.AST) -> bool:
    """`keras.Sequential(layers, name=...)`: what a thing is called makes it no other one."""
    if not isinstance(node, ast.keyword) or node.arg != "name":
        return False
    return (program.name(node.up.func) or "").startswith(("keras.", "tensorflow."))  # type: ignore[attr-defined]


def _made_of(program: Program, value: ast.AST) -> set[str]:
    """The names that a value is made of, without what it is called by."""
    found, todo = set(), [value]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Name):
            found.add(node.id)
        todo += [child for child in ast.iter_child_nodes(node) if not _is_label(program, child)]
    return found


def _only_says(program: Program, value: ast.AST) -> bool:
    if not isinstance(value, ast.Call):
        return False
    return program.name(value.func) == "builtins.print" or getattr(value.func, "attr", "") in SAYS


def targets_of(loop: ast.AST) -> set[str]:
    """The names that a loop or comprehension gives its elements."""
    targets = [generator.target for generator in getattr(loop, "generators", [])] + [getattr(loop, "target", None)]
    is_loop = isinstance(loop, (*LOOPS, *COMPREHENSIONS))
    return {name for target in targets if target is not None and is_loop for name in mentioned(target)}


def _inside(program: Program, definition: ast.AST, call: ast.Call, changing: frozenset[str],
            unsteady: Callable[[ast.expr], bool]) -> frozenset[str]:
    sources = [source for statement in _body(definition) for source in _sources(program, statement, unsteady)]
    loops = [node for statement in _body(definition) for node in ast.walk(statement) if isinstance(node, (*LOOPS, *COMPREHENSIONS))]
    sources += [(targets_of(loop), _mentioned_by(loop), False) for loop in loops]
    return frozenset(_spread({*_parameters(program, definition, call, changing), *_shared(definition, call, changing)}, sources))


def _mentioned_by(loop: Any) -> set[str]:
    iterables = [generator.iter for generator in getattr(loop, "generators", [])] + [getattr(loop, "iter", None)]
    return {name for one in iterables if one is not None for name in mentioned(one)}


def _body(definition: Any) -> list[ast.AST]:
    return definition.body if isinstance(definition.body, list) else [definition.body]


def _spread(changing: set[str], sources: list[Source]) -> set[str]:
    """The names that change, and all that are made of them."""
    found, grown = set(changing), True
    while grown:
        more = {name for names, used, unsteady in sources if unsteady or used & found for name in names}
        grown = not more <= found
        found |= more
    return found


def _sources(program: Program, around: ast.AST, unsteady: Callable[[ast.expr], bool]) -> Iterator[Source]:
    """What is given a value within a node, and what that is made of."""
    for node in ast.walk(around):
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = {name for target in targets for name in mentioned(target)}
            used = _made_of(program, node.value)
            yield names, used, bool(names & used) or unsteady(node.value)  # `n = n * 2` is another number each time
        elif isinstance(node, ast.AugAssign):
            names = mentioned(node.target)
            yield names, names | mentioned(node.value), True
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            yield mentioned(node.optional_vars), mentioned(node.context_expr), unsteady(node.context_expr)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield from _changed_by(program, node.value, unsteady)


def _changed_by(program: Program, call: ast.Call, unsteady: Callable[[ast.expr], bool]) -> Iterator[Source]:
    """`config.update(units=n)` and `setattr(config, "units", n)` change what `config` holds; a function of the file, its globals."""
    used = {name for argument in [*call.args, *call.keywords] for name in mentioned(argument)}
    values = [*call.args, *(keyword.value for keyword in call.keywords)]
    if isinstance(call.func, ast.Attribute) and call.func.attr in CHANGES:
        yield mentioned(call.func.value), used, any(map(unsteady, values))
    elif isinstance(call.func, ast.Name) and call.func.id == "setattr" and call.args:
        yield mentioned(call.args[0]), used, any(map(unsteady, values))
    definition = definition_of(program, call.func)
    given = [node for node in ast.walk(definition) if isinstance(node, ast.Global)] if definition else []
    if given:
        yield {name for node in given for name in node.names}, used, any(map(unsteady, values))


def _unsteady(program: Program, value: ast.expr) -> bool:
    """Whether a value may be another one every round although all names in it are the same."""
    for node in ast.walk(value):
        if isinstance(node, (ast.Await, ast.Yield)):
            return True
        if isinstance(node, ast.Call):
            name = program.name(node.func)
            made_here = name is None and isinstance(node.func, (ast.Name, ast.Call))
            if not made_here and not (name or "").startswith(STEADY):
                return True
    return gives_another(program, value)


def _parameters(program: Program, definition: ast.AST, call: ast.Call, changing: frozenset[str]) -> Iterator[str]:
    """The parameters that a call gives something else each time, where `changing` differ."""
    arguments: ast.arguments = definition.args  # type: ignore[attr-defined]
    names = [argument.arg for argument in [*arguments.posonlyargs, *arguments.args]]
    every = {*names, *(argument.arg for argument in [*arguments.kwonlyargs, arguments.vararg, arguments.kwarg] if argument)}

    def differs(value: ast.expr) -> bool:
        return bool(mentioned(value) & changing) or gives_another(program, value)

    if isinstance(definition.up, ast.ClassDef) and isinstance(call.func, ast.Attribute):  # type: ignore[attr-defined]
        if names and differs(call.func.value):
            yield names[0]
        names = names[1:]
    for place, value in enumerate(call.args):
        if differs(value):
            if isinstance(value, ast.Starred) or place >= len(names):
                yield from every
            else:
                yield names[place]
    for keyword in call.keywords:
        if differs(keyword.value):
            yield from [keyword.arg] if keyword.arg in every else every


def _shared(definition: ast.AST, call: ast.Call, changing: frozenset[str]) -> Iterator[str]:
    """The changing names that the function knows by the same name, from around it: a global that the loop sets."""
    outside, here = definition.scope, call.scope  # type: ignore[attr-defined]
    used = [node for node in ast.walk(definition) if isinstance(node, ast.Name) and node.id in changing]
    for node in used:
        owner = node.scope.owner(node.id)  # type: ignore[attr-defined]
        if owner is outside.owner(node.id) and (owner is None or owner is here.owner(node.id)):
            yield node.id
