"""A `tf.function` is made in every round of a loop.

Symptom: every round is as slow as the first; TensorFlow warns of "triggered tf.function retracing".

Why: traces belong to the object that `tf.function` makes. A new object has none, so its first call traces the Python
code, builds the gradient and optimises the graph again, whatever the one before had learned.

Confirmed by: `firststep record`, which counts traces per function and says that the function is another object. In
source, a decorated definition or a call of `tf.function` in a loop, or in a function that a loop calls. Functions that
depend on what changes in the loop, or that are kept in a list, a dictionary or an attribute, are left alone.

Remedy: make it once, before the loop or at module level.

Source: TensorFlow's guide "Better performance with tf.function", section on retracing.

Fix: the definition moves before the loop. Safe where the function is a plain one of its arguments: it calls only
TensorFlow's operations, none of them random, and reads from outside only modules and constants. Otherwise unsafe: what
happens once per trace (Python side effects, variables made inside, the sequence of random numbers, Python values read
at tracing time) would happen once instead of every round.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from firststep.lint import edits
from firststep.lint.findings import Fix, LintFinding
from firststep.lint.program import Program
from firststep.lint.program.functions import GraphFunction, decorated, mentioned, wrapped
from firststep.lint.program.purity import is_pure
from firststep.lint.program.repetition import Repetition, is_kept, repetition
from firststep.lint.program.tree import DEFERRED, FUNCTIONS, Function

WORDS = (".function", "import function")
MESSAGE = "`tf.function` is made anew in every round{of}: each one is traced from scratch"


def check(program: Program) -> Iterator[LintFinding]:
    for node in program.tree.of(*FUNCTIONS):
        assert isinstance(node, FUNCTIONS)
        made = decorated(program, node)
        repeated = repetition(program, made.made) if made else None
        if made and repeated and not _depends(node, repeated, {node.name}) and not _is_used_elsewhere(node):
            yield _finding(program, made, node, repeated)
    for call in program.tree.calls:
        made = wrapped(program, call)
        repeated = repetition(program, call) if made else None
        if made and repeated and not is_kept(call) and not _depends(call, repeated, set()):
            inner = made.definition
            if isinstance(inner, FUNCTIONS) and _stands_in(inner, repeated.loop) and _depends(inner, repeated, {inner.name}):
                continue
            yield _finding(program, made, call, repeated)


def _depends(node: ast.AST, repeated: Repetition, own: set[str]) -> bool:
    """Whether what the loop changes (or, within the loop itself, gives a value) reaches into the function."""
    local = {name for inner in ast.walk(node) if isinstance(inner, DEFERRED) for name in _bound_in(inner)} - own
    decisive = repeated.changing if repeated.call is not None else repeated.changing | (repeated.assigned - own)
    if isinstance(node, ast.Call):
        decisive = repeated.changing
    return bool((mentioned(node) - local) & decisive)


def _bound_in(function: ast.AST) -> set[str]:
    arguments = {argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)}  # type: ignore[attr-defined]
    stored = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return arguments | stored


def _is_used_elsewhere(definition: Function) -> bool:
    """Whether the function object leaves the round: it is returned, collected or handed over rather than called."""
    around: ast.AST = definition.scope.node  # type: ignore[union-attr]
    for node in ast.walk(around):
        if isinstance(node, ast.Name) and node.id == definition.name and isinstance(node.ctx, ast.Load):
            above = node.up  # type: ignore[attr-defined]
            if not (isinstance(above, ast.Call) and above.func is node):
                return True
    return False


def _stands_in(definition: ast.AST, loop: ast.AST) -> bool:
    return any(node is definition for node in ast.walk(loop))


def _finding(program: Program, made: GraphFunction, node: ast.AST, repeated: Repetition) -> LintFinding:
    name = getattr(made.definition, "name", "")
    of = f" (`{name}`)" if name else ""
    fix = _fix(program, made, node, repeated)
    return program.finding(__name__, made.made, MESSAGE.format(of=of), "make it once, before the loop", fix)


def _fix(program: Program, made: GraphFunction, node: ast.AST, repeated: Repetition) -> Fix | None:
    statement = node if isinstance(node, FUNCTIONS) else node.up  # type: ignore[attr-defined]
    loop = repeated.loop
    if repeated.call is not None or statement not in getattr(loop, "body", []) or not isinstance(statement, (*FUNCTIONS, ast.Assign)):
        return None
    name = statement.name if isinstance(statement, FUNCTIONS) else getattr(statement.targets[0], "id", None)
    if name is None or len(node.scope.lookup(name)) != 1:  # type: ignore[attr-defined]
        return None
    if isinstance(node, ast.Call) and (made.definition is None or mentioned(node) & repeated.assigned):
        return None
    safe = made.definition is not None and not made.options and is_pure(program, made.definition)
    edit = edits.hoist(program.position(statement), program.position(loop))
    return Fix("move it before the loop", edit, safe)
