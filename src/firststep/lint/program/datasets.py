"""Chains of tf.data: what a dataset was made of, link by link, over several statements where they are plain."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from firststep.lint.program import Program
from firststep.lint.program.blocks import binding_before, last_value
from firststep.lint.program.values import argument, is_true

LONGEST = 60  # links that are followed
LOAD = "tensorflow_datasets.load"
MAKERS = ("tensorflow.data.", "keras.utils.image_dataset_from_directory", "keras.utils.text_dataset_from_directory",
          "keras.utils.audio_dataset_from_directory", "keras.utils.timeseries_dataset_from_array", LOAD)


def links(program: Program, call: ast.Call) -> Iterator[ast.Call]:
    """The calls of a chain from this one towards the source; the last is the call that made the dataset, where it is seen."""
    now: ast.expr = call
    for _ in range(LONGEST):
        if isinstance(now, ast.Name):
            value = last_value(now) or _loaded_beside(program, now)
            if value is None:
                return
            now = value
        if not isinstance(now, ast.Call):
            return
        yield now
        if not isinstance(now.func, ast.Attribute):
            return
        now = now.func.value


def _loaded_beside(program: Program, name: ast.Name) -> ast.Call | None:
    """The call of `data, info = tfds.load(..., with_info=True)`, where the name is the data's and was given them last."""
    statement = next(binding_before(name), None)
    given = statement.targets[0] if isinstance(statement, ast.Assign) else None
    if not isinstance(given, ast.Tuple) or len(given.elts) != 2 or getattr(_data_of(given.elts[0], name.id), "id", None) != name.id:
        return None
    value = statement.value  # type: ignore[union-attr]
    is_load = isinstance(value, ast.Call) and program.name(value.func) == LOAD
    return value if is_load and is_true(argument(value, None, "with_info")) else None


def _data_of(target: ast.expr, name: str) -> ast.expr:
    """The target itself, or of `(train, test), info` the one of this name."""
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    return next((one for one in parts if getattr(one, "id", None) == name), target)


def is_dataset(program: Program, chain: list[ast.Call]) -> bool:
    """Whether the chain is one of tf.data: it was made there, or one of its arguments names tf.data."""
    if (program.name(chain[-1].func) or "").startswith(MAKERS):
        return True
    values = (value for link in chain for value in [*link.args, *(keyword.value for keyword in link.keywords)])
    return any((program.name(value) or "").startswith("tensorflow.data.") for value in values)
