"""A shuffle buffer is filled with elements that are already mapped or batched.

Symptom: the first batch takes long to come, and memory jumps before the first step.

Why: `shuffle(n)` gives nothing before it holds n elements. Behind `map`, each of them is decoded or computed first;
behind `batch`, each is a whole batch, and only batches are shuffled, not what is in them.

Confirmed by: `firststep record`, which gives the time to the first element by transformation. In source, a chain of
tf.data in which `shuffle` of at least BUFFER elements (given by a literal, `len(...)` or a cardinality) comes behind
`batch`, or behind a `map` that reads, decodes, resizes or computes outside of TensorFlow, by itself or in a function of
the file that it calls. Keras's `image_dataset_from_directory` and its like give batches unless `batch_size` is None. A
`cache` between them is left alone, as are maps that only take apart or convert.

Remedy: shuffle first (what is shuffled then are names or records), map and batch afterwards. Keras's functions for folders
shuffle the names themselves (`shuffle=True`).

Source: TensorFlow's guide "Better performance with the tf.data API".

Fix: `shuffle` moves before `map` (and `batch`). Safe where it only passes maps of functions that are pure TensorFlow
and keeps their order: the same random numbers then choose the same elements. Unsafe behind `batch`, as the batches have
other elements, where the mapped function may be random or do something besides, and where errors are passed over.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import takewhile

from firststep.lint import edits
from firststep.lint.findings import Fix, LintFinding
from firststep.lint.program import Program
from firststep.lint.program.datasets import is_dataset, links
from firststep.lint.program.functions import definition_of
from firststep.lint.program.purity import is_pure
from firststep.lint.program.values import argument, integer

WORDS = (".shuffle(",)
BUFFER = 256  # elements before batching
PASSED = ("map", "batch", "padded_batch", "prefetch", "ragged_batch")  # what stands between shuffle and the dataset's source
BATCHES = ("batch", "padded_batch", "ragged_batch")
HEAVY = (
    "tensorflow.io.", "tensorflow.image.", "tensorflow.audio.", "tensorflow.signal.", "tensorflow.py_function",
    "tensorflow.numpy_function", "tensorflow.py_func", "tensorflow.strings.", "keras.", "tensorflow.read_file",
    "tensorflow.decode_", "tensorflow.parse_",
)
# Datasets that come in batches: their `batch_size` is the place of that argument.
BATCHED = {"keras.utils.image_dataset_from_directory": 5, "keras.utils.text_dataset_from_directory": 4,
           "keras.utils.audio_dataset_from_directory": 4}
# Reading or parsing that makes a few numbers or words out of a short record: no cause of a slow start.
LIGHT = ("tensorflow.io.parse_tensor", "tensorflow.io.decode_raw", "tensorflow.strings.to_number", "tensorflow.strings.split",
         "tensorflow.strings.strip", "tensorflow.strings.lower", "tensorflow.strings.length", "tensorflow.strings.substr",
         "tensorflow.strings.join", "tensorflow.io.FixedLenFeature",
         "tensorflow.io.VarLenFeature", "tensorflow.io.parse_single_example", "tensorflow.io.parse_example", "tensorflow.io.decode_csv",
         "tensorflow.parse_single_example", "tensorflow.parse_example", "tensorflow.decode_raw", "tensorflow.decode_csv")


def check(program: Program) -> Iterator[LintFinding]:
    for call in program.method_calls("shuffle"):
        chain = list(links(program, call))
        passed = list(takewhile(lambda link: _attribute(link) in PASSED, chain[1:]))
        size = _size(program, argument(call, 0, "buffer_size"))
        if size is None or not is_dataset(program, chain):
            continue
        if len(chain) == len(passed) + 2 and size * _batch_of_maker(program, chain[-1]) >= BUFFER:
            yield _behind_maker(program, call, chain[-1])
            continue
        batches = [link for link in passed if _attribute(link) in BATCHES]
        maps = [link for link in passed if _attribute(link) == "map" and _is_heavy(program, argument(link, 0, "map_func"))]
        elements = size * (_batch(batches[0]) if batches else 1)
        if (batches or maps) and elements >= BUFFER:
            first = _attribute((batches or maps)[0])
            what = "whole batches" if batches else "elements that are already mapped"
            message = f"`shuffle` behind `{first}` fills its buffer with {what} before the first one comes"
            fix = _fix(program, call, chain, passed)
            yield program.finding(__name__, _method(call), message, "shuffle before mapping and batching", fix)


def _batch_of_maker(program: Program, maker: ast.Call) -> int:
    """The elements of each batch that this call's dataset gives; 0 where it gives none, or that is not sure."""
    name = program.name(maker.func)
    if name not in BATCHED or any(keyword.arg is None for keyword in maker.keywords):
        return 0
    size = argument(maker, BATCHED[name], "batch_size")
    return 32 if size is None else integer(size) or 0


def _behind_maker(program: Program, call: ast.Call, maker: ast.Call) -> LintFinding:
    name = (program.name(maker.func) or "").rpartition(".")[2]
    message = f"`shuffle` behind `{name}` fills its buffer with whole batches before the first one comes"
    return program.finding(__name__, _method(call), message, "let that function shuffle the names (`shuffle=True`)")


def _attribute(link: ast.Call) -> str:
    return getattr(link.func, "attr", "")


def _method(call: ast.Call) -> ast.AST:
    """The place of `.shuffle(...)` in a chain that may stand on several lines."""
    assert isinstance(call.func, ast.Attribute)
    name = call.func
    line = name.end_lineno or name.lineno
    return ast.Name(name.attr, lineno=line, col_offset=(name.end_col_offset or 0) - len(name.attr.encode()),
                    end_lineno=line, end_col_offset=name.end_col_offset)


def _size(program: Program, expression: ast.AST | None) -> int | None:
    """The buffer's size; a whole dataset counts as large, an unknown one as none."""
    known = integer(expression)
    if known is not None or not isinstance(expression, (ast.Call, ast.Subscript)):
        return known
    whole = (isinstance(expression, ast.Call) and (program.name(expression.func) == "builtins.len"
             or getattr(expression.func, "attr", "") == "cardinality"))
    whole = whole or (isinstance(expression, ast.Subscript) and getattr(expression.value, "attr", "") == "shape")
    return BUFFER if whole else None


def _batch(batch: ast.Call) -> int:
    return integer(argument(batch, 0, "batch_size")) or 32


def _is_heavy(program: Program, function: ast.AST | None) -> bool:
    """Whether a mapped function, or one of this file that it calls, does what takes long for each element."""
    seen: set[ast.AST] = set()
    todo = [definition_of(program, function)] if function is not None else []
    while todo:
        definition = todo.pop()
        if definition is None or definition in seen:
            continue
        seen.add(definition)
        calls = [node for node in ast.walk(definition) if isinstance(node, ast.Call)]
        names = [program.name(call.func) or "" for call in calls]
        if any(name.startswith(HEAVY) and name not in LIGHT for name in names):
            return True
        todo += [definition_of(program, call.func) for call in calls]
    return False


def _fix(program: Program, call: ast.Call, chain: list[ast.Call], passed: list[ast.Call]) -> Fix | None:
    together = _links_of_one_expression(call)
    moved = [link for link in passed if link in together]
    if moved != passed or (len(chain) > len(passed) + 1 and not isinstance(chain[len(passed)], ast.Call)):
        return None
    safe = all(_passes_unchanged(program, link) for link in passed) and "ignore_errors" not in program.text
    safe = safe and not (_computes(call) and any(_computes(link) for link in passed))
    return Fix("shuffle first", edits.move_link(program.position(call), program.place_after(call), len(passed)), safe)


def _computes(link: ast.Call) -> bool:
    """Whether an argument is computed by a call, which may have to come in its turn; the function that is mapped is not called here."""
    given = [*link.args, *(keyword.value for keyword in link.keywords)]
    return any(isinstance(node, ast.Call) for one in given if not isinstance(one, ast.Lambda) for node in ast.walk(one))


def _links_of_one_expression(call: ast.Call) -> list[ast.Call]:
    found, now = [], call.func.value  # type: ignore[attr-defined]
    while isinstance(now, ast.Call):
        found.append(now)
        now = now.func.value if isinstance(now.func, ast.Attribute) else None
    return found


def _passes_unchanged(program: Program, link: ast.Call) -> bool:
    if _attribute(link) != "map" or any(keyword.arg == "deterministic" for keyword in link.keywords):
        return False
    function = argument(link, 0, "map_func")
    definition = definition_of(program, function) if function is not None else None
    return definition is not None and is_pure(program, definition)
