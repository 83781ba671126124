"""Chains of tf.data: what a dataset was made of, link by link, over several statements where they are plain."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from firststep.lint.program import Program
from firststep.lint.program.blocks import last_value

LONGEST = 60  # links that are followed
MAKERS = ("tensorflow.data.", "keras.utils.image_dataset_from_directory", "keras.utils.text_dataset_from_directory",
          "keras.utils.audio_dataset_from_directory", "keras.utils.timeseries_dataset_from_array", "tensorflow_datasets.load")


def links(call: ast.Call) -> Iterator[ast.Call]:
    """The calls of a chain from this one towards the source; the last is the call that made the dataset, where it is seen."""
    now: ast.expr = call
    for _ in range(LONGEST):
        if isinstance(now, ast.Name):
            value = last_value(now)
            if value is None:
                return
            now = value
        if not isinstance(now, ast.Call):
            return
        yield now
        if not isinstance(now.func, ast.Attribute):
            return
        now = now.func.value


def is_dataset(program: Program, chain: list[ast.Call]) -> bool:
    """Whether the chain is one of tf.data: it was made there, or one of its arguments names tf.data."""
    if (program.name(chain[-1].func) or "").startswith(MAKERS):
        return True
    values = (value for link in chain for value in [*link.args, *(keyword.value for keyword in link.keywords)])
    return any((program.name(value) or "").startswith("tensorflow.data.") for value in values)
