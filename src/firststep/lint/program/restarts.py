"""Rounds that begin anew with the same model, or with other parts of it, and so want a new optimizer."""

from __future__ import annotations

import ast

from firststep.lint.program import Program

# Methods that give a model other values, or other layers.
GIVES = ("set_weights", "load_weights", "restore", "read", "add", "pop", "assign", "load_state", "build_from_config")
HARMLESS = ("builtins.", "tensorflow.", "numpy.")  # functions that change nothing of a model


def restarts(program: Program, loop: ast.AST, model: str) -> bool:
    """Whether anything in a loop may make the model begin anew, or change what of it is trained."""
    changed = program.remembered((loop, "restarts"), lambda: any(_changes(node) for node in ast.walk(loop)))
    return changed or any(_is_given(program, call, model) for call in program.calls_in(loop))


def _changes(node: ast.AST) -> bool:
    if not isinstance(node, ast.Attribute):
        return False
    return node.attr in GIVES or (node.attr == "trainable" and isinstance(node.ctx, ast.Store))


def _is_given(program: Program, call: ast.Call, model: str) -> bool:
    """Whether the model is given to a function that may change it."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    is_given = any(isinstance(one, ast.Name) and one.id == model for one in given)
    return is_given and not (program.name(call.func) or "").startswith(HARMLESS)
