"""A big array is turned into a dataset.

Symptom: seconds before the first batch, twice the memory, or "GraphDef cannot be larger than 2GB".

Why: `from_tensor_slices` and `from_tensors` copy the whole array into a tensor before they give one element; in a
graph, as within a function of tf.data or in TensorFlow 1, it becomes part of the graph, which is then written, copied
and optimised with it. A long literal list is worse: it is read number by number.

Confirmed by: `firststep record`, which shows the time to the first element by transformation. In source, an array whose
shape the source tells and that has at least BYTES bytes, given to `from_tensor_slices` or `from_tensors`; or a literal of
at least NUMBERS numbers, given to one of these or to `tf.constant`.

Remedy: give whole batches, by `keras.utils.PyDataset` or a generator, slice a memory map, or write TFRecords. A generator of single
elements makes every epoch slower.

Source: TensorFlow's guide "tf.data: Build TensorFlow input pipelines", section "Consuming NumPy arrays", which warns of
it.

Fix: none; where the data shall come from is for the author to say.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from firststep.lint.findings import LintFinding
from firststep.lint.program import Program, Setting
from firststep.lint.program.arrays import array_bytes
from firststep.lint.program.functions import value_of
from firststep.lint.program.values import argument

WORDS = ("from_tensor", "constant(", "convert_to_tensor(")
BYTES = 128_000_000
NUMBERS = 10_000
TAKERS = ("tensorflow.data.Dataset.from_tensor_slices", "tensorflow.data.Dataset.from_tensors", "tensorflow.constant",
          "tensorflow.convert_to_tensor")
REMEDY = "give it in pieces: keras.utils.PyDataset, a generator of whole batches, a memory map, TFRecords"
TENSORS = ("constant", "convert_to_tensor")  # of whose arrays `embedded-constant` tells


def concerns(text: str, setting: Setting) -> bool:
    return "numpy" in text or len(text) > 2 * NUMBERS  # a number and its comma


def check(program: Program) -> Iterator[LintFinding]:
    for call in program.calls(*TAKERS):
        given = argument(call, 0, "tensors") or argument(call, None, "value")
        size = sum(array_bytes(program, part) or 0 for part in _parts(given))
        numbers = sum(_numbers(part) for part in _parts(given))
        name = (program.name(call.func) or "").split(".")[-1]
        if size >= BYTES and name not in TENSORS:
            yield program.finding(__name__, call, f"`{name}` copies an array of {size / 1e6:,.0f} MB into a constant", REMEDY)
        elif numbers >= NUMBERS:
            yield program.finding(__name__, call, f"`{name}` reads a literal of {numbers:,} numbers one by one",
                                  "keep the numbers in a file: `numpy.load` reads them at once")


def _parts(given: ast.AST | None) -> list[ast.AST]:
    """The arrays of a structure of them; a plain list of numbers is one array."""
    value = value_of(given)
    if isinstance(value, ast.Tuple):
        return [part for element in value.elts for part in _parts(element)]
    if isinstance(value, ast.Dict):
        return [part for element in value.values for part in _parts(element)]
    return [value] if value is not None else []


def _numbers(value: ast.AST) -> int:
    if not isinstance(value, (ast.List, ast.Tuple)):
        return 0
    return sum(isinstance(node, ast.Constant) for node in ast.walk(value))
