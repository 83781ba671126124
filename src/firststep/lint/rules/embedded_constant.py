"""A big array is made a constant of a graph.

Symptom: the first call of a small function takes seconds, or "GraphDef cannot be larger than 2GB".

Why: a NumPy array that an operation is given within a `tf.function`, or a `tf.constant` of one there or in TensorFlow 1, is written into
the graph, which is then copied, looked through and optimised with all of its bytes, and again for each new trace.

Confirmed by: `firststep record`, which shows the constants of a traced function. In source, an array whose shape the source tells, of at
least BYTES bytes, given to a function of TensorFlow's in a traced function, or in one that such a function calls, or to `tf.constant` or
`tf.convert_to_tensor` where a graph is built. A tensor that is made once, outside of any function, costs one copy.

Remedy: make the tensor outside of the function and use it inside: it is handed over, and stands in no graph. In TensorFlow 1 feed it.

Source: TensorFlow's guide "Better performance with tf.function"; the measurement in docs/causes.md.

Fix: none; where the tensor is to live is for the author to say.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from firststep.lint.findings import LintFinding
from firststep.lint.program import Program, Setting
from firststep.lint.program.arrays import array_bytes
from firststep.lint.program.functions import tracing
from firststep.lint.program.sessions import SESSIONS
from firststep.lint.program.values import argument

WORDS = ("tensorflow",)
BYTES = 16_000_000
TAKERS = ("tensorflow.constant", "tensorflow.convert_to_tensor")
OUTSIDE = "make the tensor outside of the function, and use it inside"
FED = "feed it to a placeholder, or to a variable's initial value"


def concerns(text: str, setting: Setting) -> bool:
    return "numpy" in text


def check(program: Program) -> Iterator[LintFinding]:
    sessions = any(True for _ in program.calls(*SESSIONS))
    for call in program.calls("tensorflow."):
        name = program.name(call.func) or ""
        for given in [argument(call, 0, "value")] if name in TAKERS else _names_given(call):
            size = (array_bytes(program, given) or 0) if given is not None else 0
            if size < BYTES:
                continue
            if tracing(program, call):
                yield _finding(program, call, name, size, OUTSIDE)
            elif sessions and name in TAKERS:
                yield _finding(program, call, name, size, FED)


def _names_given(call: ast.Call) -> list[ast.expr]:
    """What a function is given that has a name, and so may be an array of outside."""
    return [one for one in (*call.args, *(keyword.value for keyword in call.keywords)) if isinstance(one, ast.Name)]


def _finding(program: Program, call: ast.Call, name: str, size: int, remedy: str) -> LintFinding:
    return program.finding(__name__, call, f"`{name.split('.')[-1]}` copies an array of {size / 1e6:,.0f} MB into the graph", remedy)
