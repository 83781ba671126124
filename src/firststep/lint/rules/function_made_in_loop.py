"""A `tf.function` is made in every round of a loop.

Symptom: every round is as slow as the first; TensorFlow warns of "triggered tf.function retracing".

Why: traces belong to the object that `tf.function` makes. A new object has none, so its first call traces the Python
code, builds the gradient and optimises the graph again, whatever the one before had learned.

Confirmed by: `firststep record`, which counts traces per function and says that the function is another object. In
source, a decorated definition or a call of `tf.function` in a loop, or in a function or property that a loop calls, also one that
returns it to be called there. Functions that depend on what changes in the loop, or that are kept in a list, a dictionary
or an attribute, are left alone. So are those that read, themselves or by what they call, what a round may change: a list
that it adds to, an attribute or an element that it sets, or, where it calls something unknown with what differs from round
to round, anything from outside; those of rounds that set how functions are traced, as `tf.config.optimizer.set_jit` does;
and those of rounds that go into a device, a graph, a session or a strategy, where each is traced apart.

Remedy: make it once, before the loop or at module level.

Source: TensorFlow's guide "Better performance with tf.function", section on retracing.

Fix: the definition moves before the loop. Safe where the function is a plain one of its arguments: it calls only
TensorFlow's operations, none of them random, and reads from outside only modules and constants, which are there before
the loop, as nothing asks for the function's name before it is made. Otherwise unsafe: what happens once per trace
(Python side effects, variables made inside, the sequence of random numbers, Python values read at tracing time) would
happen once instead of every round. None where a round asks more of the function than a call, as how often it was traced,
or reads a clock, which measures the tracing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from firststep.lint import edits
from firststep.lint.findings import Fix, LintFinding
from firststep.lint.program import Program
from firststep.lint.program.functions import GraphFunction, decorated, definition_of, enclosing, mentioned, stands_in, wrapped
from firststep.lint.program.keras import own_nodes
from firststep.lint.program.places import has_place_of_its_own, reads_clock
from firststep.lint.program.purity import is_pure
from firststep.lint.program.reach import may_change
from firststep.lint.program.repetition import Repetition, is_kept, repetition
from firststep.lint.program.sessions import region
from firststep.lint.program.tree import DEFERRED, FUNCTIONS, Function, Scope

WORDS = (".function", "import function", "import *")
MESSAGE = "`tf.function` is made anew in every round{of}: each one is traced from scratch"


def check(program: Program) -> Iterator[LintFinding]:
    for node in program.tree.of(*FUNCTIONS):
        assert isinstance(node, FUNCTIONS)
        made = decorated(program, node)
        repeated = repetition(program, made.made) if made else None
        if made and (asked := _by_property(program, node)) and not _is_anew(program, node, made, asked):
            yield _finding(program, made, node, asked)
        if (made and repeated and not _depends(node, repeated, {node.name}) and not _leaves_the_round(program, node, repeated)
                and not _is_anew(program, node, made, repeated)):
            yield _finding(program, made, node, repeated)
    for call in program.tree.calls:
        made = wrapped(program, call)
        repeated = repetition(program, call) if made else None
        if made and (asked := _by_property(program, call)) and not _is_anew(program, call, made, asked):
            yield _finding(program, made, call, asked)
        if made and repeated and not _call_is_kept(program, call, repeated) and not _depends(call, repeated, set()):
            inner = made.definition
            if isinstance(inner, FUNCTIONS) and stands_in(inner, repeated.loop) and _depends(inner, repeated, {inner.name}):
                continue
            if not _is_anew(program, call, made, repeated):
                yield _finding(program, made, call, repeated)


def _is_anew(program: Program, node: ast.AST, made: GraphFunction, repeated: Repetition) -> bool:
    """Whether each round's function is traced for good reason: what it reads may have changed, or the round has a place of its own."""
    return has_place_of_its_own(program, region(node, repeated)) or may_change(program, node, made.definition, repeated)


def _by_property(program: Program, made: ast.AST) -> Repetition | None:
    """The loop that calls, in each round, what a property of the same object makes and returns, and does nothing else."""
    definition = enclosing(made, *DEFERRED)
    if not isinstance(definition, ast.FunctionDef) or [program.name(one) for one in definition.decorator_list] != ["builtins.property"]:
        return None
    ends = [node.value for node in own_nodes(definition) if isinstance(node, ast.Return)]
    is_returned = ends == [made] or (len(ends) == 1 and getattr(ends[0], "id", "") == getattr(made, "name", None))
    asked = program.attributes.get(definition.name, []) if is_returned else []
    for use in asked:
        if _is_called(use) and definition_of(program, use) is definition:
            found = repetition(program, use)
            if found and not mentioned(use.value) & (found.changing | found.assigned):
                return found
    return None


def _depends(node: ast.AST, repeated: Repetition, own: set[str]) -> bool:
    """Whether what each round changes or gives a value reaches into the function: from its body, or by a default."""
    inner = [one for one in ast.walk(node) if isinstance(one, DEFERRED)]
    local = {name for one in inner for name in _bound_in(one)} - own
    defaults = {name for one in inner for default in [*one.args.defaults, *one.args.kw_defaults] if default for name in mentioned(default)}
    decisive = repeated.changing | (repeated.assigned - own)
    if isinstance(node, ast.Call) and repeated.call is None:
        decisive = repeated.changing
    return bool(((mentioned(node) - local) | defaults) & decisive)


def _bound_in(function: ast.AST) -> set[str]:
    arguments = {argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)}  # type: ignore[attr-defined]
    stored = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return arguments | stored


def _leaves_the_round(program: Program, definition: Function, repeated: Repetition) -> bool:
    """Whether the function object is collected or handed over rather than called; one that is returned to the loop may be called there."""
    uses = _uses(program, definition.scope, definition.name)  # type: ignore[union-attr]
    elsewhere = [use for use in uses if not _is_called(use)]
    returned = bool(elsewhere) and all(isinstance(use.up, ast.Return) for use in elsewhere)  # type: ignore[attr-defined]
    return bool(elsewhere) and not (returned and _is_called_by_the_round(program, definition, repeated))


def _call_is_kept(program: Program, call: ast.Call, repeated: Repetition) -> bool:
    """The same of `tf.function(...)`, which may stand behind `return`."""
    returned = isinstance(call.up, ast.Return)  # type: ignore[attr-defined]
    return is_kept(program, call) and not (returned and _is_called_by_the_round(program, call, repeated))


def _is_called_by_the_round(program: Program, made: ast.AST, repeated: Repetition) -> bool:
    """Whether what a function returns is called where the function is called, and nothing else is done with it."""
    call = repeated.call
    if call is None or definition_of(program, call.func) is not enclosing(made, *DEFERRED):
        return False
    above = call.up  # type: ignore[attr-defined]
    if isinstance(above, ast.Assign) and len(above.targets) == 1 and isinstance(above.targets[0], ast.Name):
        uses = _uses(program, call.scope, above.targets[0].id)  # type: ignore[attr-defined]
        return bool(uses) and all(_is_called(use) for use in uses)
    return _is_called(call)


def _uses(program: Program, scope: Scope, name: str) -> list[ast.Name]:
    """Where a name of this scope, or of one around it, is read or taken away in it."""
    return [node for node in program.meant(scope, name) if not isinstance(node.ctx, ast.Store) and stands_in(node, scope.node)]


def _is_called(use: ast.expr) -> bool:
    above = use.up  # type: ignore[attr-defined]
    return isinstance(above, ast.Call) and above.func is use


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
    if isinstance(statement, ast.Assign) and len(statement.targets) > 1:
        return None
    if name is None or len(node.scope.lookup(name)) != 1:  # type: ignore[attr-defined]
        return None
    if isinstance(node, ast.Call) and (made.definition is None or mentioned(node) & repeated.assigned):
        return None
    if reads_clock(program, loop) or not all(_is_called(use) for use in _uses(program, node.scope, name)):  # type: ignore[attr-defined]
        return None  # the round measures the tracing, or asks of the function object what each round's says
    plain = made.definition is not None and not made.options and is_pure(program, made.definition)
    safe = plain and _may_stand_before(program, statement, name, loop)
    edit = edits.hoist(program.position(statement), program.position(loop))
    return Fix("move it before the loop", edit, safe)


def _may_stand_before(program: Program, statement: ast.FunctionDef | ast.AsyncFunctionDef | ast.Assign, name: str, loop: ast.AST) -> bool:
    """Whether all that the statement names is there before the loop, and nothing asks for its name before the statement."""
    scope: Scope = loop.scope  # type: ignore[attr-defined]
    if isinstance(scope.node, ast.ClassDef) or any(use.lineno < statement.lineno for use in program.names.get(name, [])):
        return False
    named = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return all(_is_there(scope, one, loop) for one in named)


def _is_there(scope: Scope, name: str, loop: ast.AST) -> bool:
    """Whether a name of the loop's own scope, or of the module, is bound once, whatever happens, and before the loop."""
    owner = scope.owner(name)
    if owner is None or not (owner is scope or owner is scope.top()):
        return True
    bindings = owner.names[name]
    if len(bindings) != 1:
        return False
    node = bindings[0].node
    always = node.up is owner.node  # type: ignore[attr-defined]
    return always and (owner is not scope or node.lineno < loop.lineno)  # type: ignore[attr-defined]
