"""A `tf.function` is called with Python numbers that vary.

Symptom: steps that should take milliseconds take as long as the first; TensorFlow warns of "triggered tf.function
retracing".

Why: a tensor is described to a trace by its type and shape, a Python number by its value. Every new value is a new
trace: the Python code runs again, and gradients and optimised graph are built again. `reduce_retracing=True` does not
help, as it widens shapes, not values.

Confirmed by: `firststep record`, which says in what two traces of a function differ. In source, a call in a loop whose
argument is a counter of that loop, a number that each round computes from its own last value (a rate that decays), or is
computed from one. Functions with an `input_signature` turn numbers into
tensors and are left alone.

Remedy: pass `tf.constant(value)`, or a `tf.Variable` that is assigned, or give the function an `input_signature`.

Source: TensorFlow's guide "Better performance with tf.function", "Rules of tracing".

Fix: `tf.constant(...)` around the argument. Unsafe: what the function computed in Python's numbers it then computes in
int32 or float32 tensors, and Python code that needs a number (a shape, a list's index, `range`) fails.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from firststep.lint import edits
from firststep.lint.findings import Fix, LintFinding
from firststep.lint.program import Program
from firststep.lint.program.functions import decorated, graph_function, is_traced, mentioned, wrapped
from firststep.lint.program.repetition import FEWEST
from firststep.lint.program.tree import DEFERRED, Binding
from firststep.lint.program.values import rounds

WORDS = (".function", "import function")
NUMERIC = ("builtins.int", "builtins.float", "builtins.round", "builtins.abs", "builtins.min", "builtins.max", "builtins.len")


def check(program: Program) -> Iterator[LintFinding]:
    made = _names(program)
    for call in program.tree.calls:
        if getattr(call.func, "attr", getattr(call.func, "id", None)) not in made:
            continue
        arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
        counters = _counters(program, call) if arguments else set()
        if not counters:
            continue
        varying = [argument for argument in arguments if _is_number(program, argument, counters)]
        function = graph_function(program, call.func) if varying else None
        if function is None or "input_signature" in function.options or is_traced(program, call):
            continue
        for argument in varying:
            text = program.source(argument)
            yield program.finding(__name__, argument, f"`{function.name}` is traced again for every value of the Python number `{text}`",
                                  "pass a tensor: `tf.constant(...)`", _fix(program, argument))


def _names(program: Program) -> set[str]:
    """What functions of `tf.function` are called in this file."""
    found = {node.name for node in program.tree.of(ast.FunctionDef) if decorated(program, node)}
    for node in program.tree.of(ast.Assign):
        if wrapped(program, node.value):
            found |= {getattr(target, "attr", getattr(target, "id", "")) for target in node.targets}
    return found


def _counters(program: Program, call: ast.Call) -> set[str]:
    """Names that hold another Python number in each round of the loops around a call."""
    found: set[str] = set()
    below: ast.AST = call
    above = call.up  # type: ignore[attr-defined]
    while above is not None and not isinstance(above, DEFERRED):
        if isinstance(above, (ast.For, ast.AsyncFor)) and below in above.body:
            found |= _counted(program, above.target, above.iter)
        if isinstance(above, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
            for generator in above.generators:
                found |= _counted(program, generator.target, generator.iter)
        if isinstance(above, (ast.For, ast.AsyncFor, ast.While)):
            found |= _carried(above)
        below, above = above, above.up
    return found


def _counted(program: Program, target: ast.expr, iterable: ast.expr) -> set[str]:
    """The number of a loop over `range` or `enumerate`, where it takes more than a few values."""
    known = rounds(program, iterable)
    if not isinstance(iterable, ast.Call) or (known is not None and known < FEWEST):
        return set()
    name = program.name(iterable.func)
    if name == "builtins.range" and isinstance(target, ast.Name):
        return {target.id}
    if name == "builtins.enumerate" and isinstance(target, ast.Tuple) and target.elts and isinstance(target.elts[0], ast.Name):
        return {target.elts[0].id}
    return set()


def _carried(loop: ast.AST) -> set[str]:
    """Names that begin as a literal number and are computed anew from their own value in the loop."""
    found = set()
    for node in ast.walk(loop):
        name = _computed_from_itself(node)
        if name is not None and all(_stays_a_number(binding, name.id) for binding in name.scope.lookup(name.id)):  # type: ignore[attr-defined]
            found.add(name.id)
    return found


def _computed_from_itself(node: ast.AST) -> ast.Name | None:
    """The name that `n += 1` or `n = 0.9 * n` binds."""
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        return node.target
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        name = node.targets[0]
        return name if isinstance(node.value, ast.BinOp) and name.id in mentioned(node.value) else None
    return None


def _stays_a_number(binding: Binding, name: str) -> bool:
    """Whether what a name is bound to here is a number as long as it was one."""
    value = binding.node.value if isinstance(binding.node, ast.AugAssign) else binding.value
    return binding.kind in ("value", "other") and value is not None and _is_arithmetic(value, name)


def _is_arithmetic(value: ast.AST, name: str) -> bool:
    if isinstance(value, ast.BinOp):
        return _is_arithmetic(value.left, name) and _is_arithmetic(value.right, name)
    if isinstance(value, ast.UnaryOp):
        return _is_arithmetic(value.operand, name)
    if isinstance(value, ast.Name):
        return value.id == name
    return isinstance(value, ast.Constant) and type(value.value) in (int, float)


def _is_number(program: Program, expression: ast.AST, counters: set[str]) -> bool:
    """Whether an expression is Python arithmetic on a counter."""
    if isinstance(expression, ast.Name):
        return expression.id in counters
    if isinstance(expression, ast.UnaryOp):
        return not isinstance(expression.op, ast.Not) and _is_number(program, expression.operand, counters)
    if isinstance(expression, ast.BinOp):
        sides = [expression.left, expression.right]
        return any(_is_number(program, side, counters) for side in sides) and all(
            _is_number(program, side, counters) or _is_literal(side) for side in sides)
    if isinstance(expression, ast.Call) and program.name(expression.func) in NUMERIC:
        return any(_is_number(program, argument, counters) for argument in expression.args)
    return False


def _is_literal(expression: ast.AST) -> bool:
    return isinstance(expression, (ast.Name, ast.Attribute)) or (
        isinstance(expression, ast.Constant) and type(expression.value) in (int, float))


def _fix(program: Program, argument: ast.expr) -> Fix | None:
    bindings = argument.scope.lookup("tf")  # type: ignore[attr-defined]
    if not any(binding.imported.startswith("tensorflow") for binding in bindings):
        return None
    edit = edits.replace(program.position(argument), program.place_after(argument), lambda code: f"tf.constant({code})")
    return Fix("pass a tensor", edit)
