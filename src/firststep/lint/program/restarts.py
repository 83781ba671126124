"""Rounds that begin anew with the same model, or with other parts of it, and so want a new optimizer."""

from __future__ import annotations

import ast

from firststep.lint.program import Program
from firststep.lint.program.functions import definition_of

FOLLOWED = 3  # functions that call each other
# Methods that give a model other values, or other layers.
GIVES = ("set_weights", "load_weights", "restore", "read", "add", "pop", "assign", "load_state", "build_from_config")
OF_TAPES = ("gradient", "jacobian", "watch")  # methods that change nothing that they are given
HARMLESS = ("builtins.", "tensorflow.", "numpy.")  # functions that change nothing of a model


def restarts(program: Program, loop: ast.AST, model: str) -> bool:
    """Whether anything in a loop, or in a function of the file that it calls, may make the model begin anew, or change what of it is
    trained."""
    return _anything_changes(program, loop, FOLLOWED) or any(_is_given(program, call, model) for call in program.calls_in(loop))


def _anything_changes(program: Program, around: ast.AST, deep: int) -> bool:
    return program.remembered((around, deep, "restarts"), lambda: _look_for_changes(program, around, deep))


def _look_for_changes(program: Program, around: ast.AST, deep: int) -> bool:
    if any(_changes(node) for node in ast.walk(around)):
        return True
    called = [definition_of(program, call.func) for call in program.calls_in(around)] if deep else []
    return any(one is not None and _anything_changes(program, one, deep - 1) for one in called)


def _changes(node: ast.AST) -> bool:
    if not isinstance(node, ast.Attribute):
        return False
    return node.attr in GIVES or (node.attr == "trainable" and isinstance(node.ctx, ast.Store))


def _is_given(program: Program, call: ast.Call, model: str) -> bool:
    """Whether the model is given to a function that may change it."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    is_given = any(isinstance(one, ast.Name) and one.id == model for one in given)
    return is_given and getattr(call.func, "attr", "") not in OF_TAPES and not (program.name(call.func) or "").startswith(HARMLESS)
