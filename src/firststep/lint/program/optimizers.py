"""Optimizers of Keras: which make variables of their own, and for which of the program's."""

from __future__ import annotations

import ast

from firststep.lint.program import Program
from firststep.lint.program.functions import value_of
from firststep.lint.program.values import argument

LEGACY = "keras.optimizers.legacy."  # of Keras 2: they have no `build`
STEPS = ("apply_gradients", "apply", "minimize")


def has_slots(program: Program, made: ast.Call) -> bool:
    """Whether it is an optimizer of Keras with variables for each of the model's: SGD has none without momentum."""
    name = program.name(made.func) or ""
    kind = name.rpartition(".")[2]
    if not name.startswith("keras.optimizers.") or not kind[:1].isupper():
        return False
    if kind != "SGD" or name.startswith(LEGACY):  # a legacy one makes its counter of steps as late as that, too
        return True
    momentum = argument(made, 1, "momentum")
    return isinstance(momentum, ast.Constant) and bool(momentum.value)


def changed_variables(step: ast.Call) -> ast.expr | None:
    """What `apply_gradients(zip(gradients, variables))`, `apply(gradients, variables)` or `minimize(loss, variables)` changes; of
    `apply_gradients([(gradient, variable), ...])` a list of the variables."""
    if getattr(step.func, "attr", "") == "minimize":
        return value_of(argument(step, 1, "var_list"))
    if getattr(step.func, "attr", "") == "apply":
        return value_of(argument(step, 1, "trainable_variables"))
    pairs = value_of(argument(step, 0, "grads_and_vars"))
    if isinstance(pairs, (ast.List, ast.Tuple)):
        listed = [pair.elts[1] for pair in pairs.elts if isinstance(pair, ast.Tuple) and len(pair.elts) == 2]
        return ast.List(listed, ast.Load()) if listed and len(listed) == len(pairs.elts) else None
    if not isinstance(pairs, ast.Call) or getattr(pairs.func, "id", "") != "zip" or len(pairs.args) != 2:
        return None
    return value_of(pairs.args[1])
