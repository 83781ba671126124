"""A training step is traced twice because the optimizer makes its variables in the first trace.

Symptom: the first call of a `tf.function` takes about twice as long as one trace.

Why: an optimizer makes its slot variables when it first applies gradients. A function that has made variables in its
first trace is traced again without making any, so all the Python code runs twice and every variable gets a lifted
initialiser.

Confirmed by: `firststep record`, which says of a second trace "variables were made in the first trace". In source, a function under
`tf.function` (its decorator, or a call that alone takes the function's name, or gives it back under the same) that calls `apply_gradients`
of a Keras optimizer made outside of it, for a model's variables, those of several together, or a list of the program's own, in a file that
never builds that optimizer, by whatever name; a `tf.train.Checkpoint` that holds it does not, even where it restores it. One that is kept
as `self.optimizer` counts in a class of the file that derives from no other (or from `tf.Module`), as long as nothing in the file takes
that attribute but to apply gradients, to save it, to give it another name, or to read its numbers. One that a literal list or dictionary
holds counts where all that is done with that is to take elements by literal keys. Nothing is said of one that is handed on to somebody
else, nor of SGD without momentum, which has no variables of that kind.

Remedy: `optimizer.build(model.trainable_variables)` once before the first call; metrics that `compile` is given by name make theirs in
the first step, too: give it objects. `firststep boost` does the same without an edit.

Source: the measurements in docs/boost.md (prebuild-variables); `tf.function`'s documentation on variables made in the
first call.

Fix: that line before the first call. Safe where the optimizer and a model that has its variables at once stand in the
same block as the call, nothing in between may give the model other variables, and all that a trace does is known, so that one
trace less changes nothing of Python's: no number drawn, nothing said, no list that is longer. No fix elsewhere.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from firststep.lint import edits
from firststep.lint.findings import Fix, LintFinding
from firststep.lint.program import Program
from firststep.lint.program.blocks import block_of
from firststep.lint.program.functions import (
    around,
    attribute_values,
    calls_of,
    class_of,
    enclosing,
    only_binding,
    only_called_as_graph,
    value_of,
)
from firststep.lint.program.holders import is_given_to, is_plain, made_of, uses_of
from firststep.lint.program.keras import is_built
from firststep.lint.program.marks import leaves_no_mark
from firststep.lint.program.optimizers import LEGACY, changed_variables, has_slots
from firststep.lint.program.tree import DEFERRED, Deferred
from firststep.lint.program.types import arguments_of

WORDS = ("apply_gradients",)
READS = ("trainable_variables", "trainable_weights", "variables", "weights", "summary", "count_params", "predict", "evaluate", "save",
         "save_weights", "load_weights", "losses", "inputs", "outputs", "name", "get_weights", "set_weights", "metrics")
KEEPS = ("tensorflow.train.Checkpoint",)  # these take an optimizer and build nothing: what is restored waits for its variables
EAGERLY = ("tensorflow.config.run_functions_eagerly", "tensorflow.config.experimental_run_functions_eagerly")
PLAIN = ("python_function",)  # what was decorated
OF_MODELS = ("trainable_variables", "trainable_weights")
VARIABLE = "tensorflow.Variable"
# Called outside, these make the optimizer's variables.
BUILDS = ("build", "apply_gradients", "apply", "set_weights", "_create_all_weights", "minimize")


def check(program: Program) -> Iterator[LintFinding]:
    seen: set[ast.Call] = set()
    if any(program.calls(*EAGERLY)) or any(node.attr in PLAIN for node in program.tree.of(ast.Attribute)):
        return  # what runs eagerly first has made them
    for call in program.method_calls("apply_gradients"):
        owner = call.func.value  # type: ignore[attr-defined]
        function = next((one for one in around(call) if only_called_as_graph(program, one)), None)
        made = made_of(program, owner)
        if function is None or made is None or made in seen or not has_slots(program, made):
            continue
        variables, uses = _variables(program, call, function), uses_of(program, made, KEEPS)
        if variables is None or uses is None or enclosing(made, *DEFERRED) is function or _is_built(uses, function):
            continue
        seen.add(made)
        text, name = ast.unparse(_outside(owner, function)), getattr(function, "name", "the function")
        when = "once the model has its variables" if _is_of_a_model(variables) else "once the variables are there"
        build = "_create_all_weights" if (program.name(made.func) or "").startswith(LEGACY) else "build"
        fix = _fix(program, function, made, owner, uses, variables) if build == "build" else None
        yield program.finding(__name__, call, f"`{text}` makes its variables in the first trace, so `{name}` is traced twice",
                              f"call `{text}.{build}({ast.unparse(variables)})` first, {when}", fix)


def _outside(owner: ast.expr, function: ast.AST) -> ast.expr:
    """The same by a name that is known outside of the function."""
    binding = only_binding(owner)
    while binding and binding.value and function in list(around(binding.node)):
        owner, binding = binding.value, only_binding(binding.value)
    return owner


def _is_built(uses: list[ast.expr], function: ast.AST) -> bool:
    """Whether a method that makes its variables is taken outside of the function."""
    methods = [use for use in uses if isinstance(use.up, ast.Attribute) and use.up.attr in BUILDS]  # type: ignore[attr-defined]
    return any(function not in list(around(use)) for use in methods)


def _variables(program: Program, call: ast.Call, function: Deferred) -> ast.expr | None:
    """`model.trainable_variables` of `apply_gradients(zip(gradients, model.trainable_variables))`, or a list of variables that are made
    outside of the function, by the names that they have there."""
    return _known_before(program, changed_variables(call), function)


def _known_before(program: Program, variables: ast.expr | None, function: Deferred) -> ast.expr | None:
    if isinstance(variables, ast.BinOp) and isinstance(variables.op, ast.Add):
        sides = [_known_before(program, value_of(side), function) for side in (variables.left, variables.right)]
        return ast.BinOp(sides[0], variables.op, sides[1]) if sides[0] is not None and sides[1] is not None else None
    if isinstance(variables, (ast.List, ast.Tuple)):
        listed = [_from_outside(program, one, function) for one in variables.elts]
        return ast.List(listed, ast.Load()) if listed and all(_is_variable(program, one, function) for one in listed) else None
    if not isinstance(variables, ast.Attribute):
        return None
    if variables.attr not in OF_MODELS:
        return variables if _is_list_of_variables(program, variables) else None
    model = variables.value
    return variables if isinstance(model.value if isinstance(model, ast.Attribute) else model, ast.Name) else None


def _is_of_a_model(variables: ast.expr) -> bool:
    sides = (variables.left, variables.right) if isinstance(variables, ast.BinOp) else ()
    return any(map(_is_of_a_model, sides)) or isinstance(variables, ast.Attribute) and variables.attr in OF_MODELS


def _is_list_of_variables(program: Program, held: ast.Attribute) -> bool:
    """Whether it is a list that an object of the file's makes and fills with variables when it is made itself."""
    if not is_plain(program, class_of(held.value)):
        return False
    values, uses = attribute_values(program, held), program.attributes[held.attr]
    added = [use.up.up for use in uses if getattr(use.up, "attr", "") == "append"]  # type: ignore[attr-defined]
    elements = [*getattr(values[0], "elts", ()), *(one for call in added for one in getattr(call, "args", ()))] if len(values) == 1 else []
    stored = [use for use in uses if not isinstance(use.ctx, ast.Load)]
    return len(stored) == 1 and isinstance(values[0], ast.List) and bool(elements) and all(
        isinstance(one, ast.Call) and program.name(one.func) == VARIABLE and getattr(enclosing(one, *DEFERRED), "name", "") == "__init__"
        for one in elements)


def _from_outside(program: Program, one: ast.expr, function: Deferred) -> ast.expr:
    """The same by a name that is known outside of the function; of what is given to it, what the first call in the file gives."""
    binding = only_binding(one)
    if binding is None or binding.kind != "parameter" or enclosing(binding.node, *DEFERRED) is not function:
        return _outside(one, function)
    given = [arguments_of(function, call).get(binding.node) for call in calls_of(program, function)]  # type: ignore[call-overload]
    return given[0] if given and all(value is not None and _is_variable(program, value, function) for value in given) else one


def _is_variable(program: Program, expression: ast.expr, function: ast.AST) -> bool:
    """Whether it is a variable that somebody has made when the function is first called."""
    made = made_of(program, expression)
    return made is not None and program.name(made.func) == VARIABLE and function not in list(around(made))


def _fix(program: Program, function: Deferred, made: ast.Call, owner: ast.expr, uses: list[ast.expr],
         variables: ast.expr) -> Fix | None:
    if not isinstance(variables, ast.Attribute) or variables.attr not in OF_MODELS:
        return None  # no model, or more than one, says when its variables are there
    model, own = only_binding(variables.value), only_binding(owner)
    calls = calls_of(program, function)
    if own is None or own.value is not made or not isinstance(own.node, ast.stmt):
        return None  # by another name, which may not be known there
    block = block_of(own.node)
    if model is None or model.node not in block or not calls or not is_built(program, model.value) or _changes(program):
        return None
    if any(is_given_to(program, use, KEEPS) for use in uses):
        return None  # whether what is restored before that line arrives is another matter
    reached = [_ancestor_in(call, block) for call in calls]
    if any(one is None for one in reached):
        return None
    first = min(block.index(one) for one in reached if one is not None)
    if first <= max(block.index(own.node), block.index(model.node)):
        return None
    call = min(calls, key=lambda one: (one.lineno, one.col_offset))
    models = list(_uses_of_name(program, variables.value))
    if any(_may_change(use, function, block[first], call) for use in models):
        return None
    edit = edits.insert_before(program.position(block[first]), f"{ast.unparse(owner)}.build({ast.unparse(variables)})\n")
    safe = leaves_no_mark(program, function) and not any(_is_handed_on(use) for use in models)
    return Fix("build the optimizer before", edit, safe)


def _uses_of_name(program: Program, name: ast.expr) -> Iterator[ast.expr]:
    assert isinstance(name, ast.Name)
    yield from (node for node in program.same_name(name) if isinstance(node.ctx, ast.Load))


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


def _is_handed_on(use: ast.expr) -> bool:
    """Whether somebody else may have the model from then on, and change it by another name."""
    above = use.up  # type: ignore[attr-defined]
    call = above.up if isinstance(above, ast.Attribute) else None  # type: ignore[attr-defined]
    return not (_is_reading(use) or (isinstance(call, ast.Call) and call.func is above))


def _is_reading(use: ast.expr) -> bool:
    """`model(x)`, and attributes that change nothing."""
    above = use.up  # type: ignore[attr-defined]
    return (isinstance(above, ast.Call) and above.func is use) or (isinstance(above, ast.Attribute) and above.attr in READS)
