"""Arguments of a build as they stand in its recipe."""

import sys

from firststep_agent import kinds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class NotRepeatable(Exception):
    """A build that cannot be written as a recipe, or a recipe that does not fit this process; says why."""


def encode(value: "Any", path_of: "Callable[[Any], list[str] | None]") -> "dict[str, Any]":
    """Arguments of a build as JSON: structure, plain values, shape and dtype of tensors, access path of variables."""
    if value is None or kinds.is_just(value, bool, int, float, str):
        return {"value": value}
    if type(value) is dict and all(kinds.is_just(key, str, int) for key in value):
        return {"dict": [[k, encode(v, path_of)] for k, v in value.items()]}
    if kinds.is_just(value, list, tuple):
        return {type(value).__name__: [encode(v, path_of) for v in value]}
    if _is_variable(value):
        path = path_of(value)
        if path is None:
            raise NotRepeatable(f"the variable {value.name} cannot be reached from the function")
        return {"variable": path}
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return {"tensor": [[None if d is None else int(d) for d in value.shape], _dtype_name(value.dtype)]}
    raise NotRepeatable(f"an argument is a {type(value).__name__}")


def decode(description: "dict[str, Any]", symbolic: "Callable[[Any, str], Any]", resolve: "Callable[[list[str]], Any]") -> "Any":
    """The arguments of `encode` in this process: variables resolved, tensors as `symbolic(shape, dtype)` makes them."""
    if "value" in description:
        return description["value"]
    if "dict" in description:
        return {k: decode(v, symbolic, resolve) for k, v in description["dict"]}
    if "list" in description:
        return [decode(v, symbolic, resolve) for v in description["list"]]
    if "tuple" in description:
        return tuple(decode(v, symbolic, resolve) for v in description["tuple"])
    if "variable" in description:
        found = resolve(description["variable"])
        if found is None:
            raise NotRepeatable("a variable of a build is not there")
        return found
    shape, dtype = description["tensor"]
    return symbolic(tuple(shape), dtype)


def _is_variable(value: "Any") -> bool:
    from tensorflow.python.ops import variables

    if isinstance(value, variables.Variable):
        return True
    keras_variables = sys.modules.get("keras.src.backend.common.variables")
    return keras_variables is not None and isinstance(value, keras_variables.Variable)


def _dtype_name(dtype: "Any") -> str:
    return getattr(dtype, "name", None) or str(dtype)
