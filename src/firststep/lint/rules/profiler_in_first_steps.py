"""A TensorBoard callback profiles the first batches.

Symptom: the first steps take seconds longer, and the log folder grows by megabytes.

Why: `profile_batch` starts TensorFlow's profiler around the batches it names, and writes its trace when they end: the
start is slower by the profiler's own start, its slow-down and its writing.

Confirmed by: `firststep record`, which sees the profiler's session before ready. In source, a literal `profile_batch`
whose first batch is at most EARLY, where no condition stands around the callback, or around each call of its function.

Remedy: `profile_batch=0`, or a range well after the start, in the runs that are to be profiled.

Source: the documentation of `keras.callbacks.TensorBoard`.

Fix: `profile_batch=0`. Unsafe: no profile is written any more.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from firststep.lint import edits
from firststep.lint.findings import Fix, LintFinding
from firststep.lint.program import Program, Setting
from firststep.lint.program.options import is_optional
from firststep.lint.program.values import argument, integer

WORDS = ("profile_batch", "TensorBoard(")
EARLY = 20
PLACE = 6  # of `profile_batch`, behind `write_steps_per_second`, a truth value, and `update_freq`; before TensorFlow 2.4 the fifth


def concerns(text: str, setting: Setting) -> bool:
    return not setting.is_test  # where it is meant


def check(program: Program) -> Iterator[LintFinding]:
    for call in program.calls("keras.callbacks.TensorBoard"):
        named = argument(call, None, "profile_batch")
        value = named or _by_place(call)
        first = _first_batch(value)
        if value is not None and first is not None and 1 <= first <= EARLY and not is_optional(program, call):
            set_to_0 = (edits.set_argument(program.position(call), program.place_after(call), "profile_batch", "0") if named
                        else edits.replace(program.position(value), program.place_after(value), lambda code: "0"))
            fix = Fix("profile nothing", set_to_0)
            yield program.finding(__name__, value, f"the profiler runs from batch {first}, within the start",
                                  "set `profile_batch=0`, or a range well after the start", fix)


def _by_place(call: ast.Call) -> ast.expr | None:
    """`profile_batch` given without its name, where the arguments before it are what they have to be."""
    value = argument(call, PLACE, "profile_batch")
    switch = call.args[PLACE - 2] if value is not None else None
    return value if isinstance(switch, ast.Constant) and isinstance(switch.value, bool) else None


def _first_batch(value: ast.AST | None) -> int | None:
    if isinstance(value, (ast.Tuple, ast.List)) and value.elts:
        return integer(value.elts[0])
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        found = re.match(r"\s*(\d{1,9})", value.value)
        return int(found[1]) if found else None
    return integer(value)
