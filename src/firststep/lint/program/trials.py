"""Rounds that do the same with other first weights: there a model that begins as the last one did is of no use."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from firststep.lint.program import Program
from firststep.lint.program.blocks import statement_of
from firststep.lint.program.chance import gives_another
from firststep.lint.program.changes import LOOPS, made_of_names, targets_of
from firststep.lint.program.functions import mentioned, stands_in
from firststep.lint.program.repetition import COLLECT, Repetition
from firststep.lint.program.sessions import region
from firststep.lint.program.tree import COMPREHENSIONS, FUNCTIONS

TRAINED = ("fit", "fit_generator", "train_on_batch")
PREDICTED = ("predict", "predict_on_batch", "predict_generator")
ASKED = (*TRAINED, "predict", "evaluate", "predict_on_batch")
SHAPED = (*ASKED, "build")  # methods that tell a model the shape of its input, where nothing has told it before
DATA = ("x", "y", "generator", "input_shape")
TELL = ("builtins.", "keras.", "tensorflow.")  # functions that train no model that they are given
GIVES_WEIGHTS = ("set_weights", "load_weights")
BEST = ("builtins.min", "builtins.max", "numpy.minimum", "numpy.maximum")
# Functions and methods that make one thing of several rounds' predictions.
JOIN = ("mean", "average", "median", "stack", "vstack", "column_stack", "dstack", "sum", "nanmean", "nanmedian", "mode", "bincount", "std",
        "var", "quantile", "percentile", "reduce_mean", "reduce_sum", "add_n", "argmax", "Average")


def data_given(program: Program, call: ast.Call, made: ast.Call, models: set[str]) -> list[ast.expr]:
    """The data that a call gives to the model, or to what it hands the model on to."""
    arguments = [*call.args, *(one.value for one in call.keywords)]
    if isinstance(call.func, ast.Attribute) and call.func.attr in SHAPED and _is_of_model(call.func.value, made, models):
        return [*call.args[:2], *(one.value for one in call.keywords if one.arg in DATA)]
    if getattr(call.func, "id", "") in models:
        return arguments
    handed_on = any(getattr(one, "id", "") in models for one in arguments)
    return arguments if handed_on and not (program.name(call.func) or "").startswith(TELL) else []


def _is_of_model(owner: ast.expr, made: ast.Call, models: set[str]) -> bool:
    owner = owner.value if isinstance(owner, ast.NamedExpr) else owner
    return owner is made or getattr(owner, "id", "") in models


def is_for_chance(program: Program, made: ast.Call, models: set[str], repeated: Repetition) -> bool:
    """Whether rounds differ by their first weights, and what comes of them is put together or compared: all that is trained with the same
    data, and predictions for the same data that are averaged, as an ensemble's."""
    around = region(made, repeated)[-1]
    calls = program.calls_in(around)
    if not _takers(program, repeated.loop) and not _takers(program, around):
        return False
    if any(getattr(call.func, "attr", "") in GIVES_WEIGHTS for call in calls):
        return False
    differing = program.remembered((around, repeated, "differing"), lambda: _differing(program, around, repeated))
    asked = [call for call in calls if data_given(program, call, made, models)]
    training = [call for call in asked if getattr(call.func, "attr", "") not in ("build", "evaluate", *PREDICTED)]
    if training and not any(_is_given(program, call, made, models, differing) for call in training):
        return any(True for _ in _collected(program, around, set(asked), repeated))
    steady = {call for call in asked if _is_prediction(call, models) and not _is_given(program, call, made, models, differing)}
    return any(holder is not None and _is_joined(program, holder) for holder in _collected(program, around, steady, repeated))


def _is_prediction(call: ast.Call, models: set[str]) -> bool:
    return getattr(call.func, "attr", "") in PREDICTED or getattr(call.func, "id", "") in models


def _is_given(program: Program, call: ast.Call, made: ast.Call, models: set[str], names: set[str]) -> bool:
    """Whether the data that a call gives to the model are other ones in another round."""
    return any((mentioned(one) - models) & names or gives_another(program, one) for one in data_given(program, call, made, models))


def _differing(program: Program, around: ast.AST, repeated: Repetition) -> set[str]:
    """The names that differ from round to round, and not only within a round, as the batches of the same data."""
    inner = [one for one in ast.walk(around) if isinstance(one, (*LOOPS, *COMPREHENSIONS)) and one is not repeated.loop]
    within = {name for one in inner for name in targets_of(one)} - targets_of(repeated.loop)
    names = made_of_names(program, around, set(repeated.changing) - made_of_names(program, around, within))
    for loop in inner:
        iterables = [one.iter for one in getattr(loop, "generators", [loop]) if hasattr(one, "iter")]
        if any(mentioned(one) & names for one in iterables):
            names |= targets_of(loop)
    return made_of_names(program, around, names)


def _collected(program: Program, around: ast.AST, results: set[ast.Call], repeated: Repetition) -> Iterator[str | None]:
    """What outlives the round and gets the results of these calls: its name, or None where it has none, as in a comprehension."""
    names = _given_to_names(program, around, results)
    yield from _kept_in(program, around, results, names, repeated)
    call = repeated.call
    ends = [node.value for node in ast.walk(around) if isinstance(node, ast.Return)] if call is not None else []
    if call is None or not any(_speaks_of(program, one, results, names) for one in ends):
        return
    if call is repeated.loop:
        yield None  # `map` collects what the function returns
    else:
        yield from _kept_in(program, repeated.loop, {call}, _given_to_names(program, repeated.loop, {call}), repeated)


def _given_to_names(program: Program, around: ast.AST, results: set[ast.Call]) -> set[str]:
    """The names of results, and of what is made of them."""
    statements = [one for one in map(statement_of, results) if isinstance(one, (ast.Assign, ast.AnnAssign)) and stands_in(one, around)]
    targets = [target for one in statements for target in (one.targets if isinstance(one, ast.Assign) else [one.target])]
    return made_of_names(program, around, {name for target in targets for name in mentioned(target)})


def _speaks_of(program: Program, node: ast.AST | None, results: set[ast.Call], names: set[str]) -> bool:
    if node is None:
        return False
    spoken = program.remembered((node, "spoken of"), lambda: {
        one.id if isinstance(one, ast.Name) else one for one in ast.walk(node) if isinstance(one, (ast.Name, ast.Call))})
    return not (spoken.isdisjoint(results) and spoken.isdisjoint(names))


def _kept_in(program: Program, around: ast.AST, results: set[ast.Call], names: set[str], repeated: Repetition) -> Iterator[str | None]:
    """Where a round puts a result to those of the others, or compares it with theirs."""
    if around is repeated.loop and isinstance(around, COMPREHENSIONS):
        if _speaks_of(program, getattr(around, "elt", getattr(around, "value", None)), results, names):
            yield _name_of(around)
        return
    own = program.remembered((around, "given anew"), lambda: _given_anew(around))
    for node in _takers(program, around):
        holder = _holder(program, node, results, names)
        if holder is not None and not mentioned(holder) & own:
            yield next(iter(mentioned(holder)), None)
        elif _compares(program, node, results, names, around):
            yield None


def _takers(program: Program, around: ast.AST) -> list[ast.AST]:
    """The nodes that may put together, or compare, what rounds give: few, and looked for once, as a loop may make many models."""
    def takes(node: ast.AST) -> bool:
        if isinstance(node, ast.Call):
            return getattr(node.func, "attr", "") in COLLECT or program.name(node.func) in BEST
        given = node.targets[0] if isinstance(node, ast.Assign) else None
        return isinstance(node, (ast.AugAssign, ast.Compare)) or isinstance(given, ast.Subscript) or _adds(node)

    found = program.remembered((around, "takers"), lambda: [node for node in ast.walk(around) if takes(node)])
    return found or ([around] if not isinstance(around, (*LOOPS, *FUNCTIONS)) else [])


def _adds(node: ast.AST) -> bool:
    """`held = held + result`."""
    if not isinstance(node, ast.Assign) or len(node.targets) > 1 or not isinstance(node.value, ast.BinOp):
        return False
    (target,) = node.targets
    return isinstance(target, ast.Name) and any(getattr(one, "id", "") == target.id for one in (node.value.left, node.value.right))


def _given_anew(around: ast.AST) -> set[str]:
    """The names that a round gives another value, and does not only add to."""
    statements = [node for node in ast.walk(around) if isinstance(node, (ast.Assign, ast.AnnAssign)) and not _adds(node)]
    targets = [target for node in statements for target in (node.targets if isinstance(node, ast.Assign) else [node.target])]
    return {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}


def _name_of(made: ast.AST) -> str | None:
    """The name that an assignment gives to this."""
    targets = getattr(made.up, "targets", [])  # type: ignore[attr-defined]
    return next((target.id for target in targets if isinstance(target, ast.Name)), None)


def _holder(program: Program, node: ast.AST, results: set[ast.Call], names: set[str]) -> ast.expr | None:
    """What a node adds a result to: `held.append(result)`, `held += result`, `held = held + result`, `held[number] = result`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in COLLECT:
        given = any(_speaks_of(program, one, results, names) for one in [*node.args, *node.keywords])
        return node.func.value if given else None
    if isinstance(node, ast.AugAssign):
        return node.target if _speaks_of(program, node.value, results, names) else None
    if isinstance(node, ast.Assign) and _adds(node):
        return node.targets[0] if _speaks_of(program, node.value, results, names) else None
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
        return node.targets[0].value if _speaks_of(program, node.value, results, names) else None
    return None


def _compares(program: Program, node: ast.AST, results: set[ast.Call], names: set[str], around: ast.AST) -> bool:
    """`if result > best:`, `best = max(best, result)`, where the best was there before."""
    if isinstance(node, ast.Call):
        compared: list[ast.expr] = node.args if program.name(node.func) in BEST else []
    else:
        compared = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
    if not any(_speaks_of(program, one, results, names) for one in compared):
        return False
    others = [one for one in compared if isinstance(one, ast.Name)]
    bindings = [binding for one in others for binding in one.scope.lookup(one.id)]  # type: ignore[attr-defined]
    outside = {id(one) for one in bindings if not stands_in(one.node, around)}
    return bool(outside) and len(outside) < len(bindings)


def _is_joined(program: Program, name: str) -> bool:
    """Whether one thing is made of all that was collected under a name."""
    return any(_is_part_of_joining(use) for use in program.names.get(name, []))


def _is_part_of_joining(use: ast.expr) -> bool:
    below: ast.AST = use
    above = use.up  # type: ignore[attr-defined]
    if isinstance(above, ast.AugAssign) and above.target is use or _adds(above) and use in above.targets:
        return True
    while isinstance(below, (ast.expr, ast.keyword)):
        if isinstance(below, ast.Call) and getattr(below.func, "attr", getattr(below.func, "id", "")) in JOIN:
            return True
        below = below.up  # type: ignore[union-attr]
    return False
