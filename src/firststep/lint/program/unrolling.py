"""Loops of Python in code that is traced: whether all their rounds are, and whether a loop of the graph could take their place."""

from __future__ import annotations

import ast

from firststep.lint.program import Program
from firststep.lint.program.changes import LOOPS, made_of_names, targets_of
from firststep.lint.program.functions import around, builds_a_graph, enclosing, mentioned, stands_in
from firststep.lint.program.tree import DEFERRED, FUNCTIONS, Binding

LEAVES = (ast.Break, ast.Continue)
SAYS = ("shape", "dtype")  # attributes that a list has not
LISTS = ("tensorflow.unstack", "tensorflow.split", "tensorflow.gradients", "tensorflow.meshgrid", "tensorflow.nest.", "keras.ops.unstack",
         "keras.ops.split", "keras.ops.meshgrid", "keras.ops.shape")  # they give lists
TAKES = ("pop", "popleft", "popitem")
ASKS_BY_NAME = ("builtins.getattr", "builtins.setattr", "builtins.hasattr")


def cuts_rounds_short(loop: ast.AST) -> bool:
    """Whether any round may be left before its end, so that fewer are traced, or less of them."""
    function = enclosing(loop, *DEFERRED)
    return any((isinstance(node, LEAVES) and enclosing(node, *LOOPS) is loop)
               or (isinstance(node, ast.Return) and enclosing(node, *DEFERRED) is function) for node in ast.walk(loop))


def needs_python(program: Program, loop: ast.For | ast.While) -> bool:
    """Whether the loop's number is an index of what may be a list, makes a name, or is given to a function that may do either: each round
    may have a thing of its own then, as a layer."""
    own = targets_of(loop) | (mentioned(loop.test) if isinstance(loop, ast.While) else set())
    counters = made_of_names(program, loop, own)
    for node in ast.walk(loop):
        if isinstance(node, ast.Subscript) and mentioned(node.slice) & counters and not _is_tensor(program, node):
            return True
        if isinstance(node, ast.JoinedStr) and mentioned(node) & counters:
            return True
        if isinstance(node, ast.Call) and _gives_its_own(program, node, counters, own):
            return True
    return False


def _gives_its_own(program: Program, call: ast.Call, counters: set[str], own: set[str]) -> bool:
    """Whether a call may give each round a thing of its own: by a name, the next of something, or whatever it does with the number."""
    name = program.name(call.func)
    if name in ASKS_BY_NAME and mentioned(call) & counters:
        return True
    if name == "builtins.next" or (name is None and getattr(call.func, "attr", "") in TAKES):
        return True
    given = [*call.args, *(one.value for one in call.keywords)]
    return name is None and any(_is_computed_of(one, own) for one in given)


def _is_computed_of(given: ast.expr, counters: set[str]) -> bool:
    """Whether an argument is one of the numbers, or arithmetic with it; a part of a tensor is not."""
    if isinstance(given, ast.BinOp):
        return _is_computed_of(given.left, counters) or _is_computed_of(given.right, counters)
    return isinstance(given, ast.Name) and given.id in counters


def _is_tensor(program: Program, indexed: ast.Subscript) -> bool:
    """Whether what an index is taken of is sure to be no list: by the index, by what made it, or by other uses of its name."""
    if isinstance(indexed.slice, ast.Tuple):
        return True
    held = indexed.value
    if not isinstance(held, ast.Name):
        return _gives_tensor(program, held)
    bindings = held.scope.lookup(held.id)  # type: ignore[attr-defined]
    if bindings and all(_is_bound_to_tensor(program, one) for one in bindings):
        return True
    return program.remembered((held.scope.owner(held.id), held.id, "tensor"),  # type: ignore[attr-defined]
                              lambda: any(map(_is_used_as_tensor, program.same_name(held))))


def _is_bound_to_tensor(program: Program, binding: Binding) -> bool:
    annotation = getattr(binding.node, "annotation", None)
    return _gives_tensor(program, binding.value) or (annotation is not None and program.name(annotation) == "tensorflow.Tensor")


def _gives_tensor(program: Program, value: ast.expr | None) -> bool:
    name = (program.name(value.func) or "") if isinstance(value, ast.Call) else ""
    return name.startswith(("tensorflow.", "keras.ops.")) and not name.startswith(LISTS)


def _is_used_as_tensor(use: ast.Name) -> bool:
    above = use.up  # type: ignore[attr-defined]
    if isinstance(above, ast.Attribute):
        return above.attr in SAYS
    return isinstance(above, ast.Subscript) and above.value is use and isinstance(above.slice, ast.Tuple)


def is_reached(program: Program, node: ast.AST) -> bool:
    """Whether every function around a node, up to the one that is traced, is named anywhere: what nothing calls is not traced."""
    for definition in around(node):
        if builds_a_graph(program, definition):
            return True
        if isinstance(definition, FUNCTIONS) and not _is_named(program, definition):
            return False
    return True


def _is_named(program: Program, definition: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether anything but the function itself speaks of it, or it has a decorator, which may keep it."""
    uses = [*program.names.get(definition.name, []), *program.attributes.get(definition.name, [])]
    return bool(definition.decorator_list) or any(not stands_in(use, definition) for use in uses)
