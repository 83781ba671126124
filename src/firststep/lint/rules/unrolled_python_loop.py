"""A Python loop is unrolled while a graph is built.

Symptom: tracing takes long, and longer with the number of rounds; the graph has thousands of nodes.

Why: `range(n)` is Python's: `tf.function` runs the loop while it traces, and every round adds its operations, their
gradients and the work of optimising them. `tf.range(n)` is a loop of the graph: its body is traced once.

Confirmed by: `firststep record`, which counts operations per source line. In source, a loop over `range` of a known
number, also one within `enumerate`, `reversed` or `zip`, or a `while` over a number of Python's that begins, is added to or
multiplied, and ends as the source says, in code that is traced (`tf.function`, `call` and `train_step` of Keras classes), with at
least ROUNDS rounds, that makes at least OPERATIONS operations; also in a function that such code calls in the same file. A
`while` within an `if` or another loop is left alone: what it counts may be a tensor there. So is a loop that a `break`,
`continue` or `return` cuts short, one whose number is an index of what may be a Python list (of layers, of variables), or a part
of a name, and one in a function that nothing calls.

Remedy: `for i in tf.range(n)`, or `tf.while_loop` or `tf.scan`. In a `call` or `train_step` that only Keras traces, no
loop is converted: there, `tf.while_loop` or `keras.ops.fori_loop`.

Source: TensorFlow's guide "Better performance with tf.function", section "Looping over Python data".

Fix: `tf.range` for `range`. Unsafe: the loop's number becomes a tensor, what the loop carries must keep its type and
shape, and Python lists cannot grow in it. None for a `while`, and where AutoGraph converts no loop.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from firststep.lint import edits
from firststep.lint.findings import Fix, LintFinding
from firststep.lint.program import Program
from firststep.lint.program.counts import rounds_of_while
from firststep.lint.program.functions import around, decorated, mentioned, tracing, wrapping
from firststep.lint.program.keras import own_nodes
from firststep.lint.program.unrolling import cuts_rounds_short, is_reached, needs_python
from firststep.lint.program.values import rounds

WORDS = ("range(", "while ")
ROUNDS = 8
OPERATIONS = 64
UNCONVERTED = "loop with `tf.while_loop` or `keras.ops.fori_loop`"  # there, `for` over a tensor is an error
UNTOUCHED = ("tensorflow.autograph.experimental.do_not_convert",)
PLAIN = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)
NOT_OPERATIONS = ("tensorflow.TensorSpec", "tensorflow.TensorShape", "tensorflow.debugging.", "tensorflow.name_scope", "tensorflow.print",
                  "keras.ops.shape", "keras.ops.dtype", "keras.ops.ndim", "keras.ops.is_tensor", "keras.ops.convert_to_",
                  "tensorflow.TensorArray", "tensorflow.device", "tensorflow.control_dependencies", "tensorflow.summary.")


def check(program: Program) -> Iterator[LintFinding]:
    for loop in program.tree.of(ast.For):
        assert isinstance(loop, ast.For)
        number = rounds(program, loop.iter)
        if number is None or number < ROUNDS or not _counts(program, loop.iter):
            continue
        message = _unrolled(program, loop, number)
        if message and _is_converted(program, loop):
            yield program.finding(__name__, loop.iter, message, "loop with `tf.range`", _fix(program, loop))
        elif message:
            yield program.finding(__name__, loop.iter, message, UNCONVERTED)
    for repeat in program.tree.of(ast.While):
        number = rounds_of_while(repeat)
        message = _unrolled(program, repeat, number) if number is not None and number >= ROUNDS else None
        if message:
            yield program.finding(__name__, repeat.test, message, "loop with `tf.range`" if _is_converted(program, repeat) else UNCONVERTED)


def _counts(program: Program, iterable: ast.expr) -> bool:
    """Whether a loop goes over `range`, alone or beside others."""
    return any(isinstance(node, ast.Call) and program.name(node.func) == "builtins.range" for node in ast.walk(iterable))


def _is_converted(program: Program, loop: ast.AST) -> bool:
    """Whether AutoGraph makes a loop of the graph of one over a tensor: not in what Keras traces, and not where it is switched off."""
    if any(program.name(one) in UNTOUCHED for definition in around(loop) for one in getattr(definition, "decorator_list", [])):
        return False
    made = [decorated(program, one) or wrapping(program, one) for one in tracing(program, loop)]
    return all(one is not None and "autograph" not in one.options for one in made)


def _unrolled(program: Program, loop: ast.For | ast.While, number: int) -> str | None:
    """What is said of a loop of so many rounds; None where it makes few operations, or none that is sure, or no graph is built."""
    operations = _operations(program, loop)
    if not operations or number * operations < OPERATIONS or not tracing(program, loop):
        return None
    if cuts_rounds_short(loop) or needs_python(program, loop) or not is_reached(program, loop):
        return None
    return (f"this loop is unrolled while tracing: {number:,} rounds of at least {operations} "
            f"operation{'s' if operations > 1 else ''}")


def _operations(program: Program, loop: ast.For | ast.While) -> int:
    """How many operations a round makes at least; 0 where it makes none that is sure."""
    sure = arithmetic = 0
    for statement in _in_every_round(loop.body):
        for node in own_nodes(statement):
            if isinstance(node, ast.Call):
                sure += _is_operation(program, node)
            elif isinstance(node, ast.BinOp):
                arithmetic += 1
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
            sure += _is_carried(program, statement)
    return sure + arithmetic if sure else 0


def _in_every_round(block: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The plain statements of a block that run in every round: those under a condition may run in a few."""
    for statement in block:
        if isinstance(statement, (ast.With, ast.For)):
            yield from _in_every_round(statement.body)
        elif isinstance(statement, PLAIN):
            yield statement


def _is_operation(program: Program, call: ast.Call) -> bool:
    name = program.name(call.func) or ""
    if name.startswith("keras.ops."):
        return not name.startswith(NOT_OPERATIONS) and not program.remembered(("backend",), lambda: _has_another_backend(program))
    return name.startswith("tensorflow.") and not name.startswith(NOT_OPERATIONS)


def _has_another_backend(program: Program) -> bool:
    """Whether the file chooses Keras's backend, and nothing in it says that this is TensorFlow."""
    texts = {node.value for node in program.tree.of(ast.Constant) if isinstance(node.value, str)}
    return "KERAS_BACKEND" in texts and "tensorflow" not in texts


def _is_carried(program: Program, statement: ast.Assign) -> bool:
    """`state = cell(state)`: what a layer or a function of the file makes of it is at least one operation."""
    assert isinstance(statement.value, ast.Call)
    targets = {name for target in statement.targets for name in mentioned(target)}
    used = {name for argument in statement.value.args for name in mentioned(argument)}
    return bool(targets & used) and program.name(statement.value.func) is None


def _fix(program: Program, loop: ast.For) -> Fix | None:
    bindings = loop.scope.lookup("tf")  # type: ignore[attr-defined]
    grows = any(isinstance(node, ast.Attribute) and node.attr in ("append", "extend", "insert") for node in ast.walk(loop))
    indexes = any(isinstance(node, ast.Subscript) and mentioned(loop.target) & mentioned(node.slice) for node in ast.walk(loop))
    if not isinstance(loop.iter, ast.Call) or program.name(loop.iter.func) != "builtins.range":
        return None  # its elements are other ones than numbers in a row
    if grows or indexes or not any(binding.imported.startswith("tensorflow") for binding in bindings):
        return None
    function = loop.iter.func
    edit = edits.replace(program.position(function), program.place_after(function), lambda code: "tf.range")
    return Fix("loop with `tf.range`", edit)
