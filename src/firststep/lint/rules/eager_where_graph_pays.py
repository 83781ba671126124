"""Functions are left to run eagerly.

Symptom: training starts at once, and every step is several times slower than it could be.

Why: `run_eagerly=True` and `tf.config.run_functions_eagerly(True)` are for looking into a model with a debugger: every
operation is called from Python, without a graph, and without anything that could be kept for the next start.

Confirmed by: `firststep record`, which finds a training step without a trace. In source, the literal `True`, where no condition
stands around it, or around each call of its function, and the program does not switch it off again.

Remedy: take it out when the looking is over, or set it from an option of the program.

Source: the documentation of `tf.config.run_functions_eagerly` and of `Model.compile`.

Fix: the setting is taken out. Unsafe: Python code in the step runs once per trace instead of every step, and fused
operations may round differently.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from firststep.lint import edits
from firststep.lint.findings import Fix, LintFinding
from firststep.lint.program import Program, Setting
from firststep.lint.program.options import is_optional
from firststep.lint.program.values import argument, is_true

WORDS = ("run_eagerly", "run_functions_eagerly")
SWITCHES = ("tensorflow.config.run_functions_eagerly", "tensorflow.config.experimental_run_functions_eagerly")
OF_MODELS = ("compile", "fit")
CALLED = "every operation of every step is called from Python"
REMEDY = "take it out when the debugging is over"


def concerns(text: str, setting: Setting) -> bool:
    return not setting.is_test  # where it is meant


def check(program: Program) -> Iterator[LintFinding]:
    for call in program.calls(*SWITCHES):
        if is_true(argument(call, 0, "run_eagerly")) and not _is_undone(program) and not is_optional(program, call):
            yield program.finding(__name__, call, "every `tf.function` runs eagerly: no graph is made", REMEDY, _without(program, call))
    for call in program.method_calls("compile"):
        value = argument(call, None, "run_eagerly")
        if is_true(value) and value is not None and not is_optional(program, call) and not _is_compiled_otherwise(program, call):
            fix = Fix("take it out", edits.set_argument(program.position(call), program.place_after(call), "run_eagerly", None))
            yield program.finding(__name__, value, f"`run_eagerly=True`: {CALLED}", REMEDY, fix)
    for statement in _switched(program):
        if not is_optional(program, statement):
            fix = Fix("take it out", edits.remove_statement(program.position(statement)))
            yield program.finding(__name__, statement, f"`{program.source(statement)}`: {CALLED}", REMEDY, fix)


def _switched(program: Program) -> list[ast.Assign]:
    """Where a model of this file is made eager by its attribute; nothing where it is switched off again."""
    models = {ast.unparse(call.func.value) for call in program.method_calls(*OF_MODELS)}  # type: ignore[attr-defined]
    given = [node for node in program.tree.of(ast.Assign) if any(_is_switch(target, models) for target in node.targets)]
    return given if all(len(node.targets) == 1 and is_true(node.value) for node in given) else []


def _is_switch(target: ast.expr, models: set[str]) -> bool:
    return isinstance(target, ast.Attribute) and target.attr == "run_eagerly" and ast.unparse(target.value) in models


def _is_compiled_otherwise(program: Program, call: ast.Call) -> bool:
    """Whether the same model is compiled without it, too: then it was looked into for a while."""
    model = ast.unparse(call.func.value)  # type: ignore[attr-defined]
    others = (other for other in program.method_calls("compile") if ast.unparse(other.func.value) == model)  # type: ignore[attr-defined]
    return any(not is_true(argument(other, None, "run_eagerly")) for other in others)


def _is_undone(program: Program) -> bool:
    """A program that switches it off again, too, means it."""
    return any(not is_true(argument(call, 0, "run_eagerly")) for call in program.calls(*SWITCHES))


def _without(program: Program, call: ast.Call) -> Fix | None:
    statement = call.up  # type: ignore[attr-defined]
    return Fix("take it out", edits.remove_statement(program.position(statement))) if isinstance(statement, ast.Expr) else None
