"""What a function captures, by access path from the traced callable: never by creation order, shape or name."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class NotReachable(Exception):
    """A capture that has no access path, or is not in this process what it was; says which."""


def describe(concrete_function: "Any", path_of: "Callable[[Any], list[str] | None]") -> "list[dict[str, Any]]":
    """One description per captured input, in order. Raises NotReachable."""
    held = concrete_function._captured_inputs
    if any(callable(c) for c in held):
        raise NotReachable("it captures a value that is computed at each call")
    variables = {id(v.handle): v for v in concrete_function.graph.variables}
    return [_describe_one(c, variables.get(id(c)), path_of) for c in concrete_function.captured_inputs]


def _describe_one(tensor: "Any", variable: "Any", path_of: "Callable[[Any], list[str] | None]") -> "dict[str, Any]":
    described = {"dtype": tensor.dtype.name, "shape": _shape(tensor), "device": tensor.device}
    if variable is not None:
        described.update(variable=[variable.dtype.name, _shape(variable)], path=path_of(variable))
    else:
        described["path"] = path_of(tensor)
    if described["path"] is None:
        what = f"the variable {variable.name}" if variable is not None else f"a {tensor.dtype.name} tensor"
        raise NotReachable(f"{what} that it uses cannot be reached from the function")
    return described


def bind(descriptions: "list[dict[str, Any]] | None", resolve: "Callable[[list[str]], Any]") -> "list[Any]":
    """The tensors of this process for the descriptions. Raises NotReachable."""
    bound = [_bind_one(d, resolve) for d in descriptions]
    if len({id(tensor) for tensor in bound}) < len(bound):
        raise NotReachable("two tensors that it captures are one and the same now")
    return bound


def _bind_one(described: "dict[str, Any]", resolve: "Callable[[list[str]], Any]") -> "Any":
    found = resolve(described["path"])
    if found is None:
        raise NotReachable("something that it captured when it was learned is not there")
    tensor = found
    if "variable" in described:
        variable = getattr(found, "_value", found) if not hasattr(found, "_handle") else found
        if not hasattr(variable, "dtype"):  # Keras 2's older optimizers keep numbers until they make variables of them
            raise NotReachable("a variable that it captured is made while it is traced")
        if [variable.dtype.name, _shape(variable)] != described["variable"]:
            raise NotReachable(f"the variable {variable.name} has another shape or dtype than when this was learned")
        tensor = variable.handle
    same = tensor.dtype.name == described["dtype"] and _shape(tensor) == described["shape"]
    if not same or tensor.device != described["device"]:
        raise NotReachable("a captured tensor has another shape, dtype or device than when this was learned")
    return tensor


def _shape(tensor: "Any") -> "list[int | None] | None":
    if tensor.shape.rank is None:
        return None
    return [None if d is None else int(d) for d in tensor.shape.as_list()]
