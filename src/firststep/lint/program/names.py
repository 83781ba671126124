"""What names mean: import aliases followed to the one name that rules know a thing by."""

from __future__ import annotations

import ast
import builtins
import re

from firststep.lint.program.tree import Binding, Scope

FOLLOWED = 8  # aliases of aliases
# The same thing under many roofs: TensorFlow's copies of its own API, the homes of Keras, moved modules.
SPELLINGS = (
    (re.compile(r"^tensorflow(?:\.(?:compat\.v[12]|_api\.v2|_api\.v1|v2))+(?=\.|$)"), "tensorflow"),
    (re.compile(r"^(?:tensorflow\.(?:python\.)?keras|tf_keras|keras\.src|keras\.api)(?=\.|$)"), "keras"),
    (re.compile(r"^keras\.(?:models|engine|engine\.sequential|engine\.training)\.(Sequential|Model)$"), r"keras.\1"),
    (re.compile(r"^keras\.preprocessing\.(\w+_dataset_from_directory)$"), r"keras.utils.\1"),
    (re.compile(r"^keras\.(?:saving|models)\.(?:\w+\.)*load_model$"), "keras.models.load_model"),
    (re.compile(r"^tensorflow\.contrib\.data\."), "tensorflow.data."),
)


def canonical(name: str) -> str:
    """`tensorflow.compat.v1.keras.models.Sequential` is `keras.Sequential`."""
    for pattern, plain in SPELLINGS:
        name = pattern.sub(plain, name)
    return name


def qualified(expression: ast.AST) -> str | None:
    """The canonical name of what a name or a chain of attributes stands for; None where that is not sure."""
    attributes: list[str] = []
    while isinstance(expression, ast.Attribute):
        attributes.append(expression.attr)
        expression = expression.value
    if not isinstance(expression, ast.Name):
        return None
    base = _meaning(expression.id, expression.scope, FOLLOWED)  # type: ignore[attr-defined]
    return canonical(".".join([base, *reversed(attributes)])) if base else None


def _meaning(name: str, scope: Scope, left: int) -> str | None:
    owner = scope.owner(name)
    if owner is None:
        stars = scope.top().stars
        known = hasattr(builtins, name) or len(stars) != 1
        return f"builtins.{name}" if hasattr(builtins, name) else None if known else f"{stars[0]}.{name}"
    if (name, left) not in owner.meanings:
        meant = {_of_binding(binding, left) for binding in owner.names.get(name, []) if not _is_none(binding)}
        owner.meanings[name, left] = meant.pop() if len(meant) == 1 else None
    return owner.meanings[name, left]


def _of_binding(binding: Binding, left: int) -> str | None:
    if binding.kind == "import":
        return canonical(binding.imported)
    value, attributes = binding.value, []
    while isinstance(value, ast.Attribute):
        attributes.append(value.attr)
        value = value.value
    # `with X() as name` binds what the context gives, not X: only plain aliases are followed
    if binding.kind != "value" or not isinstance(value, ast.Name) or left == 0 or isinstance(binding.node, (ast.With, ast.AsyncWith)):
        return None
    base = _meaning(value.id, value.scope, left - 1)  # type: ignore[attr-defined]
    return canonical(".".join([base, *reversed(attributes)])) if base else None


def _is_none(binding: Binding) -> bool:
    """`tf = None` in an except clause: nothing is called by it."""
    return is_none_value(binding.value)


def is_none_value(value: ast.AST | None) -> bool:
    return isinstance(value, ast.Constant) and value.value is None
