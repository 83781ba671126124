"""Rounds that begin anew with the same model, or with other parts of it, and so want a new optimizer."""

from __future__ import annotations

import ast

from firststep.lint.program import Program

# Methods that give a model other values, or other layers.
GIVES = ("set_weights", "load_weights", "restore", "read", "add", "pop", "assign", "load_state", "build_from_config")
HARMLESS = ("builtins.", "tensorflow.", "numpy.")  # functions that change nothing of a model


def restarts(program: Program, loop: ast.AST, model: str) -> bool:
    """Whether anything in a loop may make the model begin anew, or change what of it is trained."""
    return any(_may_change(program, node, model) for node in ast.walk(loop))


def _may_change(program: Program, node: ast.AST, model: str) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in GIVES or (node.attr == "trainable" and isinstance(node.ctx, ast.Store))
    if not isinstance(node, ast.Call):
        return False
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    is_given = any(isinstance(one, ast.Name) and one.id == model for one in given)
    return is_given and not (program.name(node.func) or "").startswith(HARMLESS)
