"""A training step is traced twice because the optimizer makes its variables in the first trace.

Symptom: the first call of a `tf.function` takes about twice as long as one trace.

Why: an optimizer makes its slot variables when it first applies gradients. A function that has made variables in its
first trace is traced again without making any, so all the Python code runs twice and every variable gets a lifted
initialiser.

Confirmed by: `firststep record`, which says of a second trace "variables were made in the first trace". In source, a
function under `tf.function` that calls `apply_gradients` of a Keras optimizer made outside of it, in a file that never
builds that optimizer.

Remedy: `optimizer.build(model.trainable_variables)` once before the first call. `firststep boost` does the same without
an edit.

Source: the measurements in docs/boost.md (prebuild-variables); `tf.function`'s documentation on variables made in the
first call.

Fix: that line before the first call. Safe where the optimizer and a model that has its variables at once stand in the
same block as the call; no fix elsewhere.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from firststep.lint import edits
from firststep.lint.findings import Fix, LintFinding
from firststep.lint.program import Program
from firststep.lint.program.blocks import block_of
from firststep.lint.program.functions import around, calls_of, decorated, enclosing, only_binding
from firststep.lint.program.keras import is_built
from firststep.lint.program.tree import DEFERRED, Deferred

WORDS = ("apply_gradients",)
# Read or called outside, these make the optimizer's variables, or hand it over to what does.
BUILDS = ("build", "apply_gradients", "apply", "set_weights", "_create_all_weights", "minimize")


def check(program: Program) -> Iterator[LintFinding]:
    seen: set[str] = set()
    for call in program.method_calls("apply_gradients"):
        owner = call.func.value  # type: ignore[attr-defined]
        binding = only_binding(owner)
        function = next((one for one in around(call) if decorated(program, one)), None)
        if function is None or binding is None or not isinstance(binding.value, ast.Call) or owner.id in seen:
            continue
        if not (program.name(binding.value.func) or "").startswith("keras.optimizers."):
            continue
        inside = enclosing(binding.node, *DEFERRED) is function
        variables = _variables(call)
        if inside or variables is None or _is_built_elsewhere(program, owner, function):
            continue
        seen.add(owner.id)
        name = getattr(function, "name", "the function")
        yield program.finding(__name__, call, f"`{owner.id}` makes its variables in the first trace, so `{name}` is traced twice",
                              f"call `{owner.id}.build({ast.unparse(variables)})` first, once the model has its variables",
                              _fix(program, function, owner, binding.node, variables))


def _variables(call: ast.Call) -> ast.expr | None:
    """`model.trainable_variables` of `apply_gradients(zip(gradients, model.trainable_variables))`."""
    pairs = call.args[0] if call.args else None
    if not isinstance(pairs, ast.Call) or getattr(pairs.func, "id", "") != "zip" or len(pairs.args) != 2:
        return None
    variables = pairs.args[1]
    owned = isinstance(variables, ast.Attribute) and variables.attr in ("trainable_variables", "trainable_weights")
    return variables if owned and isinstance(variables.value, ast.Name) else None  # type: ignore[attr-defined]


def _is_built_elsewhere(program: Program, owner: ast.Name, function: ast.AST) -> bool:
    """Whether anything outside the function may make the optimizer's variables: a method of it, or something that it is given to."""
    scope = owner.scope.owner(owner.id)  # type: ignore[attr-defined]
    for node in program.tree.of(ast.Name):
        assert isinstance(node, ast.Name)
        if node.id != owner.id or not isinstance(node.ctx, ast.Load) or node.scope.owner(node.id) is not scope:  # type: ignore[attr-defined]
            continue
        above = node.up  # type: ignore[attr-defined]
        if isinstance(above, ast.Attribute):
            if above.attr in BUILDS and function not in list(around(node)):
                return True
        else:
            return True
    return False


def _fix(program: Program, function: Deferred, owner: ast.Name, made: ast.AST, variables: ast.expr) -> Fix | None:
    model = only_binding(variables.value)  # type: ignore[attr-defined]
    calls = calls_of(program, function)
    block = block_of(made) if isinstance(made, ast.stmt) else []
    if model is None or model.node not in block or not calls or not is_built(program, model.value) or _changes(program):
        return None
    reached = [_ancestor_in(call, block) for call in calls]
    if any(one is None for one in reached):
        return None
    first = min(block.index(one) for one in reached if one is not None)
    if first <= max(block.index(made), block.index(model.node)):  # type: ignore[arg-type]
        return None
    edit = edits.insert_before(program.position(block[first]), f"{owner.id}.build({ast.unparse(variables)})\n")
    return Fix("build the optimizer before", edit, safe=True)


def _ancestor_in(node: ast.AST, block: list[ast.stmt]) -> ast.stmt | None:
    """The statement of the block that a call stands in, in the same function."""
    above: ast.AST | None = node
    while above is not None and not isinstance(above, DEFERRED):
        if above in block:
            return above
        above = above.up  # type: ignore[attr-defined]
    return None


def _changes(program: Program) -> bool:
    """Whether what is trainable is changed in the file, so that other variables may be trained than there were."""
    return any(isinstance(node, ast.Attribute) and node.attr == "trainable" and isinstance(node.ctx, ast.Store)
               for node in program.tree.of(ast.Attribute))
