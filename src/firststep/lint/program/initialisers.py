"""Layers whose initial values are orthogonal matrices, which take a decomposition each."""

from __future__ import annotations

import ast

from firststep.lint.program import Program
from firststep.lint.program.functions import value_of
from firststep.lint.program.values import argument, integer

UNITS = 1024  # from here on one matrix is felt
GATES = {"LSTM": 4, "GRU": 3, "SimpleRNN": 1}  # a recurrent matrix has so many columns for each row
RECURRENT = {f"keras.layers.{name}{cell}": gates for name, gates in GATES.items() for cell in ("", "Cell")}
DENSE = {"keras.layers.Dense"}


def is_orthogonal(program: Program, given: ast.expr) -> bool:
    """Whether an initialiser, as a layer is given one, is the orthogonal one."""
    value = value_of(given)
    if isinstance(value, ast.Constant):
        return isinstance(value.value, str) and value.value.lower() in ("orthogonal", "orthogonalinitializer")
    name = program.name(value.func if isinstance(value, ast.Call) else value) or ""
    return name.startswith(("keras.initializers.", "tensorflow.")) and name.split(".")[-1].lower().startswith("orthogonal")


def orthogonal_units(program: Program, layer: ast.Call) -> tuple[int, str] | None:
    """(units, argument) of a layer whose values are an orthogonal matrix, by this argument or by default."""
    name = program.name(layer.func)
    if name not in RECURRENT and name not in DENSE:
        return None
    units = integer(argument(layer, 0, "units"))
    keyword = "kernel_initializer" if name in DENSE else "recurrent_initializer"
    given = argument(layer, None, keyword)
    orthogonal = is_orthogonal(program, given) if given is not None else name in RECURRENT
    return (units, keyword) if units is not None and orthogonal else None


def has_orthogonal(program: Program, layer: ast.Call) -> bool:
    """Whether a layer asks for orthogonal values of whatever size, or has large ones."""
    asked = [one.value for one in layer.keywords if one.arg and one.arg.endswith("initializer")]
    units, _ = orthogonal_units(program, layer) or (0, "")
    return units >= UNITS or any(is_orthogonal(program, one) for one in asked)
