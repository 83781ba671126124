"""What fills a variable, where the program's code or a graph gives it: computed as for a variable that a trace makes.

There the code runs in the graph. TensorFlow lifts out of it what leads to the value, and runs that as a function. Called outside of
graphs the code could ask where it runs, and give something else; or fail in one place only. What comes of operations that may give
another value each time is left to the trace.
"""

import functools
import types

from firststep_agent import kinds, ownership
from firststep_agent.boost.cache_functions.keep import filled
from firststep_agent.boost.cache_functions.reads import executed
from firststep_agent.boost.objects import special

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

_DEEP = 4  # a function that Keras makes of an initialiser, its parts, and theirs


class Unliftable(Exception):
    """A value that only the trace itself can compute; says why."""


def value(initial_value: "Any", dtype: "Any") -> "Any":
    """What a variable of `dtype` (None: any) is filled with: a tensor or an array in the place of a tensor of a graph, and of a function
    that is not the frameworks' alone and would be called in a graph here; else `initial_value` itself. Raises Unliftable."""
    import tensorflow

    if getattr(initial_value, "graph", None) is not None:
        return _of_graph(initial_value, dtype)
    if not callable(initial_value) or tensorflow.executing_eagerly() or is_frameworks(initial_value):
        return initial_value
    return _called(initial_value, dtype)


def held(value: "Any") -> "Any":
    """What a tensor holds, as an array; anything else as it is."""
    import tensorflow

    return value.numpy() if tensorflow.is_tensor(value) and hasattr(value, "numpy") and not special.is_variable(type(value)) else value


def is_frameworks(given: "Any", deep: int = _DEEP) -> bool:
    """Whether no code of the program's runs where this is called."""
    kind = type(given)
    if not deep:
        return False
    if kind is types.FunctionType:
        own = ownership.owner(given.__code__.co_filename) == ownership.FRAMEWORK
        parts = _held(given) if own else None
    elif kind is types.MethodType:
        parts = [given.__func__, given.__self__]
    elif kind is functools.partial:
        parts = [given.func, *given.args, *given.keywords.values()]
    elif kind in (tuple, list):
        parts = list(given)
    elif ownership.module_owner(kinds.module(kind)) == ownership.USER:
        parts = None
    else:
        parts = list(kinds.own(given).values()) if callable(given) and not special.is_variable(kind) else []
    return parts is not None and all(is_frameworks(part, deep - 1) for part in parts)


def _held(function: "types.FunctionType") -> "list[Any] | None":
    """What a function has in its closure and its defaults; None where that is not set yet."""
    try:
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
    except ValueError:
        return None
    return [*cells, *(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]


def _called(initial_value: "Callable[[], Any]", dtype: "Any") -> "Any":
    import tensorflow
    from tensorflow.python.framework import func_graph

    with func_graph.FuncGraph("initial_value").as_default():
        tensor = tensorflow.convert_to_tensor(initial_value(), name="initial_value", dtype=dtype)
    return tensor if getattr(tensor, "graph", None) is None else _of_graph(tensor, dtype)


def _of_graph(tensor: "Any", dtype: "Any") -> "Any":
    known = filled.contents(tensor, dtype)
    if known is not None:
        return known
    if dtype is not None and dtype != tensor.dtype:
        raise Unliftable("a variable's initial value is of another type")
    for operation in _leading_to(tensor):
        if operation.op_def is None or operation.op_def.is_stateful:
            raise Unliftable(f"a variable's initial value may be another each time (`{operation.type}`)")
    return _lifted(tensor)


def _leading_to(tensor: "Any") -> "Iterator[Any]":
    """The operations that a tensor comes from."""
    todo, met = [tensor.op], set()
    for operation in todo:
        if operation.name not in met:
            met.add(operation.name)
            todo.extend(each.op for each in operation.inputs)
            todo.extend(operation.control_inputs)
            yield operation


def _lifted(tensor: "Any") -> "Any":
    import tensorflow
    from tensorflow.python.eager import lift_to_graph
    from tensorflow.python.framework import ops

    def lift():
        return lift_to_graph.lift_to_graph([tensor], ops.get_default_graph())[tensor]

    try:
        with executed.suspended(), ops.init_scope():  # an operation that the build runs, not the trace
            return tensorflow.compat.v1.wrap_function(lift, signature=[])()
    except lift_to_graph.UnliftableError:
        raise Unliftable("a variable's initial value depends on what the function is given") from None
