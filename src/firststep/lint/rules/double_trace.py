"""A training step is traced twice because the optimizer makes its variables in the first trace.

Symptom: the first call of a `tf.function` takes about twice as long as one trace.

Why: an optimizer makes its slot variables when it first applies gradients. A function that has made variables in its
first trace is traced again without making any, so all the Python code runs twice and every variable gets a lifted
initialiser.

Confirmed by: `firststep record`, which says of a second trace "variables were made in the first trace". In source, a
function under `tf.function` that calls `apply_gradients` of a Keras optimizer made outside of it, in a file that never
builds that optimizer; a `tf.train.Checkpoint` that holds it does not, even where it restores it. One that is kept as
`self.optimizer` counts in a class of the file that derives from no other (or from `tf.Module`), as long as nothing in the
file takes that attribute but to apply gradients, to save it, or to read its numbers.

Remedy: `optimizer.build(model.trainable_variables)` once before the first call. `firststep boost` does the same without
an edit.

Source: the measurements in docs/boost.md (prebuild-variables); `tf.function`'s documentation on variables made in the
first call.

Fix: that line before the first call. Safe where the optimizer and a model that has its variables at once stand in the
same block as the call, and nothing in between may give the model other variables; no fix elsewhere.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from firststep.lint import edits
from firststep.lint.findings import Fix, LintFinding
from firststep.lint.program import Program
from firststep.lint.program.blocks import block_of
from firststep.lint.program.functions import around, attribute_values, calls_of, class_of, decorated, enclosing, only_binding, value_of
from firststep.lint.program.keras import is_built
from firststep.lint.program.tree import DEFERRED, Deferred

WORDS = ("apply_gradients",)
LEGACY = "keras.optimizers.legacy."  # of Keras 2: they have no `build`
READS = ("trainable_variables", "trainable_weights", "variables", "weights", "summary", "count_params", "predict", "evaluate", "save",
         "save_weights", "load_weights", "losses", "inputs", "outputs", "name", "get_weights", "set_weights", "metrics")
PLAIN_BASES = ("builtins.object", "tensorflow.Module")
# Read or called outside, these make the optimizer's variables, or hand it over to what does.
KEEPS = ("tensorflow.train.Checkpoint",)  # these take an optimizer and build nothing: what is restored waits for its variables
BUILDS = ("build", "apply_gradients", "apply", "set_weights", "_create_all_weights", "minimize")


def check(program: Program) -> Iterator[LintFinding]:
    seen: set[str] = set()
    for call in program.method_calls("apply_gradients"):
        owner = call.func.value  # type: ignore[attr-defined]
        text = ast.unparse(owner)
        function = next((one for one in around(call) if decorated(program, one)), None)
        made = _made(program, owner)
        if function is None or made is None or text in seen or enclosing(made, *DEFERRED) is function:
            continue
        variables = _variables(call)
        if variables is None or _is_built_elsewhere(program, owner, function):
            continue
        seen.add(text)
        name = getattr(function, "name", "the function")
        build = "_create_all_weights" if (program.name(made.func) or "").startswith(LEGACY) else "build"
        fix = _fix(program, function, owner, variables) if isinstance(owner, ast.Name) and build == "build" else None
        yield program.finding(__name__, call, f"`{text}` makes its variables in the first trace, so `{name}` is traced twice",
                              f"call `{text}.{build}({ast.unparse(variables)})` first, once the model has its variables", fix)


def _made(program: Program, owner: ast.expr) -> ast.Call | None:
    """The call of Keras that made the optimizer: of a name bound once, or of an attribute that its class gives one value."""
    if isinstance(owner, ast.Attribute):
        values = attribute_values(program, owner) if _is_plain(program, class_of(owner.value)) else []
        value = values[0] if len(values) == 1 else None
    else:
        binding = only_binding(owner)
        value = binding.value if binding else None
    made = isinstance(value, ast.Call) and (program.name(value.func) or "").startswith("keras.optimizers.")
    return value if made else None  # type: ignore[return-value]


def _is_plain(program: Program, owner: ast.ClassDef | None) -> bool:
    """Whether all that a class does stands in the file: a model of Keras builds the optimizers that it is compiled with."""
    return owner is not None and not owner.keywords and all(program.name(base) in PLAIN_BASES for base in owner.bases)


def _variables(call: ast.Call) -> ast.expr | None:
    """`model.trainable_variables` of `apply_gradients(zip(gradients, model.trainable_variables))`."""
    pairs = call.args[0] if call.args else None
    if not isinstance(pairs, ast.Call) or getattr(pairs.func, "id", "") != "zip" or len(pairs.args) != 2:
        return None
    variables = value_of(pairs.args[1])
    if not isinstance(variables, ast.Attribute) or variables.attr not in ("trainable_variables", "trainable_weights"):
        return None
    model = variables.value
    return variables if isinstance(model.value if isinstance(model, ast.Attribute) else model, ast.Name) else None


def _is_built_elsewhere(program: Program, owner: ast.expr, function: ast.AST) -> bool:
    """Whether anything outside the function may make the optimizer's variables: a method of it, or something that it is given to."""
    uses = _uses_of_attribute(program, owner) if isinstance(owner, ast.Attribute) else _uses_of_name(program, owner)
    for node in uses:
        above = node.up  # type: ignore[attr-defined]
        if _is_kept_by(program, node):
            continue
        if not isinstance(above, ast.Attribute) or (above.attr in BUILDS and function not in list(around(node))):
            return True
    return False


def _is_kept_by(program: Program, node: ast.expr) -> bool:
    """Whether this use gives it to a checkpoint."""
    call = node.up.up if isinstance(node.up, ast.keyword) else node.up  # type: ignore[attr-defined]
    return isinstance(call, ast.Call) and node is not call.func and program.name(call.func) in KEEPS


def _uses_of_name(program: Program, owner: ast.expr) -> Iterator[ast.expr]:
    assert isinstance(owner, ast.Name)
    scope = owner.scope.owner(owner.id)  # type: ignore[attr-defined]
    for node in program.names[owner.id]:
        if isinstance(node.ctx, ast.Load) and node.scope.owner(node.id) is scope:  # type: ignore[attr-defined]
            yield node


def _uses_of_attribute(program: Program, owner: ast.Attribute) -> Iterator[ast.expr]:
    """Every use of an attribute of this name, of whatever object, but where its class gives it its value."""
    for node in program.tree.of(ast.Attribute):
        if node.attr == owner.attr and not (isinstance(node.ctx, ast.Store) and ast.unparse(node) == ast.unparse(owner)):
            yield node


def _fix(program: Program, function: Deferred, owner: ast.Name, variables: ast.expr) -> Fix | None:
    model, made = only_binding(variables.value), owner.scope.lookup(owner.id)[0].node  # type: ignore[attr-defined]
    calls = calls_of(program, function)
    block = block_of(made) if isinstance(made, ast.stmt) else []
    if model is None or model.node not in block or not calls or not is_built(program, model.value) or _changes(program):
        return None
    if any(_is_kept_by(program, use) for use in _uses_of_name(program, owner)):
        return None  # whether what is restored before that line arrives is another matter
    reached = [_ancestor_in(call, block) for call in calls]
    if any(one is None for one in reached):
        return None
    first = min(block.index(one) for one in reached if one is not None)
    if first <= max(block.index(made), block.index(model.node)):
        return None
    call = min(calls, key=lambda one: (one.lineno, one.col_offset))
    if any(_may_change(use, function, block[first], call) for use in _uses_of_name(program, variables.value)):  # type: ignore[attr-defined]
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
    if any(node.value == "trainable" for node in program.tree.of(ast.Constant)):
        return True
    return any(node.attr == "trainable" and isinstance(node.ctx, ast.Store) for node in program.tree.of(ast.Attribute))


def _may_change(use: ast.expr, function: Deferred, place: ast.stmt, call: ast.Call) -> bool:
    """Whether the model may get or lose variables by this use of it between the new line and the first call."""
    inside = list(around(use))
    if function in inside or _is_reading(use):
        return False
    if inside != list(around(place)):
        return True  # in a function that may be called in between
    return (place.lineno, 0) <= (use.lineno, use.col_offset) < (call.lineno, call.col_offset)


def _is_reading(use: ast.expr) -> bool:
    """`model(x)`, and attributes that change nothing."""
    above = use.up  # type: ignore[attr-defined]
    return (isinstance(above, ast.Call) and above.func is use) or (isinstance(above, ast.Attribute) and above.attr in READS)
