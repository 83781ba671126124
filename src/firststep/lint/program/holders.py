"""Every name and attribute that one object is known by, where nothing else can have it."""

from __future__ import annotations

import ast

from firststep.lint.program import Program
from firststep.lint.program.functions import FOLLOWED, attribute_values, class_of, only_binding

PLAIN_BASES = ("builtins.object", "tensorflow.Module")


def made_of(program: Program, expression: ast.expr) -> ast.Call | None:
    """The call that made what an expression stands for: through names that are bound once, and attributes that their class gives one
    value."""
    for _ in range(FOLLOWED):
        if isinstance(expression, ast.Call):
            return expression
        found = _element(program, expression) if isinstance(expression, ast.Subscript) else _only_value(program, expression)
        if found is None:
            return None
        expression = found
    return None


def _only_value(program: Program, expression: ast.expr) -> ast.expr | None:
    """The one value that a name or an attribute is ever given."""
    if isinstance(expression, ast.Attribute):
        values = attribute_values(program, expression) if is_plain(program, class_of(expression.value)) else []
        return values[0] if len(values) == 1 else None
    binding = only_binding(expression)
    return binding.value if binding and binding.kind == "value" else None


def _element(program: Program, expression: ast.Subscript) -> ast.expr | None:
    """What a literal list or dictionary holds under a literal key."""
    found = [one for one, key in _elements(_only_value(program, expression.value)) if key == _key(expression)]
    return found[0] if len(found) == 1 else None


def _elements(value: ast.expr | None) -> list[tuple[ast.expr, object]]:
    """[(element, key), ...] of a literal list, tuple or dictionary; keys that are no literals are None."""
    if isinstance(value, ast.Dict):
        return [(one, key.value if isinstance(key, ast.Constant) else None) for key, one in zip(value.keys, value.values)]
    if isinstance(value, (ast.List, ast.Tuple)) and not any(isinstance(one, ast.Starred) for one in value.elts):
        return [(one, place) for place, one in enumerate(value.elts)]
    return []


def _key(expression: ast.Subscript) -> object:
    return expression.slice.value if isinstance(expression.slice, ast.Constant) else None


def is_plain(program: Program, owner: ast.ClassDef | None) -> bool:
    """Whether all that a class does stands in the file: a model of Keras builds the optimizers that it is compiled with."""
    return owner is not None and not owner.keywords and all(program.name(base) in PLAIN_BASES for base in owner.bases)


def uses_of(program: Program, made: ast.Call, keeps: tuple[str, ...] = ()) -> list[ast.expr] | None:
    """Every expression that stands for what a call made, the call among them; None where something else may have it: a function that
    it is given to, a list, an attribute that text may name. keeps: names of what may be given it, and does nothing with it."""
    uses: dict[ast.expr, None] = {}
    todo: list[ast.expr] = [made]
    while todo:
        use = todo.pop()
        if use in uses:
            continue
        uses[use] = None
        above = use.up  # type: ignore[attr-defined]
        if isinstance(above, ast.Attribute) or is_given_to(program, use, keeps):
            continue
        held = _held_by(program, use)
        if held is None:
            return None
        todo += held
    return list(uses)


def is_given_to(program: Program, use: ast.expr, takers: tuple[str, ...]) -> bool:
    """Whether this use gives it to a call of one of these names."""
    call = use.up.up if isinstance(use.up, ast.keyword) else use.up  # type: ignore[attr-defined]
    return isinstance(call, ast.Call) and use is not call.func and program.name(call.func) in takers


def _held_by(program: Program, use: ast.expr) -> list[ast.expr] | None:
    """The uses of all that an assignment gives this to; None where it is no plain assignment."""
    above = use.up  # type: ignore[attr-defined]
    if isinstance(above, (ast.Dict, ast.List)):
        return _taken_out(program, above, use)
    statement = above.up if isinstance(above, ast.Tuple) else above  # type: ignore[attr-defined]
    if not isinstance(statement, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
        return None
    targets: list[ast.expr | None] = list(statement.targets) if isinstance(statement, ast.Assign) else [statement.target]
    if isinstance(above, ast.Tuple):
        targets = [_counterpart(target, above, use) for target in targets]
    held: list[ast.expr] = [statement] if isinstance(statement, ast.NamedExpr) else []
    for target in targets:
        more = _of_name(program, target) if isinstance(target, ast.Name) else _of_attribute(program, target, use)
        if more is None:
            return None
        held += more
    return held


def _taken_out(program: Program, holder: ast.expr, value: ast.expr) -> list[ast.expr] | None:
    """Where a list or dictionary gives this element again; None where anything else is done with it."""
    elements = _elements(holder)
    key = next((key for one, key in elements if one is value), None)
    if key is None or [each for _, each in elements].count(key) != 1:
        return None
    uses = _held_by(program, holder)
    if uses is None or not all(_is_element(use) for use in uses):
        return None
    return [use.up for use in uses if _key(use.up) == key]  # type: ignore[attr-defined]


def _is_element(use: ast.expr) -> bool:
    """Whether this takes one element, under a literal key, and leaves the others alone."""
    above = use.up  # type: ignore[attr-defined]
    return isinstance(above, ast.Subscript) and above.value is use and isinstance(above.ctx, ast.Load) and _key(above) is not None


def _counterpart(target: ast.expr | None, values: ast.Tuple, value: ast.expr) -> ast.expr | None:
    """What `value` is given to in `a, b = value, other`."""
    if not isinstance(target, ast.Tuple) or len(target.elts) != len(values.elts):
        return None
    if any(isinstance(one, ast.Starred) for one in (*target.elts, *values.elts)):
        return None
    return target.elts[values.elts.index(value)]


def _of_name(program: Program, target: ast.Name) -> list[ast.expr] | None:
    """The uses of a name that is bound here alone."""
    owner = target.scope.owner(target.id)  # type: ignore[attr-defined]
    if owner is None or len(owner.names[target.id]) != 1 or program.looks_up_names:
        return None
    return [node for node in program.same_name(target) if isinstance(node.ctx, ast.Load)]


def _of_attribute(program: Program, target: ast.expr | None, value: ast.expr) -> list[ast.expr] | None:
    """The uses of an attribute of this name, of whatever object, where its class gives it this value and nobody another."""
    if not isinstance(target, ast.Attribute) or not is_plain(program, class_of(target.value)):
        return None
    if attribute_values(program, target) != [value] or program.looks_up_names:
        return None
    texts = program.remembered(("texts",), lambda: {node.value for node in program.tree.of(ast.Constant) if isinstance(node.value, str)})
    nodes, given = program.remembered((target.attr, "attributes"), lambda: _of_objects(program, target.attr))
    return None if target.attr in texts or given != [target] else list(nodes)


def _of_objects(program: Program, name: str) -> tuple[list[ast.expr], list[ast.expr]]:
    """(where an attribute of this name is taken, where it is given or deleted), of whatever object but a module, as `keras.optimizers`."""
    nodes = [node for node in program.attributes[name] if program.name(node) is None]
    return [node for node in nodes if isinstance(node.ctx, ast.Load)], [node for node in nodes if not isinstance(node.ctx, ast.Load)]
