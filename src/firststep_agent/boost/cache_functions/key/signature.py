"""What a trace was asked for: a text for argument types, TensorFlow's own options and the calling context; objects among the arguments."""

from collections.abc import Mapping

from firststep_agent import kinds, ownership
from firststep_agent.boost.cache_functions.key import guards
from firststep_agent.boost.objects.leaves import word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_DISTRIBUTED = "tensorflow.python.distribute.input_lib.DistributedDatasetAndIteratorSpec"


class NotDescribable(Exception):
    """An argument that is more than tensors and plain values; says which."""


def describe(function_type: "Any", tracing_options: "Any") -> str:
    """One line per thing that, besides the Python function, decides what is traced. Raises NotDescribable."""
    lines = [f"{p.name} {int(p.kind)} {_type(p.type_constraint, p.name)}" for p in function_type.parameters.values()]
    attributes = {k: str(v) for k, v in (tracing_options.attributes or {}).items()}
    lines.append(f"attributes {sorted(attributes.items())}")
    lines.append(f"autograph {tracing_options.autograph} {tracing_options.autograph_options}")
    lines.append(f"name {tracing_options.name}")
    lines.append(guards.surroundings())
    return "\n".join(lines)


def objects(function_type: "Any") -> "list[Any]":
    """The Python objects among the arguments of a trace, and the program's classes of containers, in their order: `describe` has no more
    than their names. Raises NotDescribable."""
    from tensorflow.core.function.trace_type import default_types as types

    found = []
    todo = [parameter.type_constraint for parameter in reversed(function_type.parameters.values())]
    while todo:  # no function that calls itself: it would hold what it has found until garbage is collected
        trace_type = todo.pop()
        if isinstance(trace_type, types.Weakref):
            found.append(trace_type._ref())
        elif _is_distributed(trace_type):
            found += [trace_type._strategy, trace_type._options]
        elif ownership.is_user_class(type(trace_type)):  # the type of an ExtensionType, which is a container
            found.append(_of_values(trace_type))
        elif isinstance(trace_type, (types.Dict, types.NamedTuple)) and ownership.is_user_class(trace_type._placeholder_type):
            found.append(trace_type._placeholder_type)
        todo += reversed(tuple(_parts(trace_type, types)))
    return found


def _is_distributed(trace_type: "Any") -> bool:
    """Whether it is the type of a strategy's data set, or of an iterator over one."""
    return any(kinds.qualified(base) == _DISTRIBUTED for base in kinds.mro(type(trace_type)))


def _of_values(spec: "Any") -> type:
    """The class that a type of the program's describes."""
    cls = next((namespace["value_type"] for namespace in map(kinds.namespace, kinds.mro(type(spec))) if "value_type" in namespace), None)
    if not isinstance(cls, type):
        raise NotDescribable(f"it has an argument of {kinds.qualified(type(spec))}, which does not name the class of its values")
    return cls


def _parts(trace_type: "Any", types: "Any") -> "Any":
    if isinstance(trace_type, types.Tuple):
        return trace_type.components
    if isinstance(trace_type, types.List):
        return trace_type.components_tuple.components
    if isinstance(trace_type, types.Dict):
        return trace_type.mapping.values()
    if isinstance(trace_type, types.NamedTuple):
        return trace_type.attributes.components
    if type(trace_type) is tuple:
        return trace_type
    if isinstance(trace_type, Mapping):
        return trace_type.values()
    return kinds.own(trace_type).values() if ownership.is_user_class(type(trace_type)) else ()


def _type(trace_type: "Any", name: str) -> "Any":
    from tensorflow.core.function.trace_type import default_types as types
    from tensorflow.python.framework import tensor_spec, type_spec

    if isinstance(trace_type, types.Weakref):
        held = trace_type._ref()
        return f"object {kinds.qualified(type(held))}"
    if isinstance(trace_type, types.Literal):
        if trace_type.value is not None and not kinds.is_just(trace_type.value, bool, int, float, str, bytes, complex):
            raise NotDescribable(f"its argument `{name}` is an object of {kinds.qualified(type(trace_type.value))}")
        return f"{type(trace_type.value).__name__} {trace_type.value!r}"
    if isinstance(trace_type, types.Tuple):
        return "(" + ",".join(_type(c, name) for c in trace_type.components) + ")"
    if isinstance(trace_type, types.List):
        return "[" + ",".join(_type(c, name) for c in trace_type.components_tuple.components) + "]"
    if isinstance(trace_type, types.Dict):
        items = ",".join(f"{k!r}:{_type(v, name)}" for k, v in trace_type.mapping.items())
        return trace_type._placeholder_type.__name__ + "{" + items + "}"
    if isinstance(trace_type, types.NamedTuple):
        inner = ",".join(_type(c, name) for c in trace_type.attributes.components)
        return f"{trace_type.type_name}{trace_type.attribute_names}({inner})"
    if _is_distributed(trace_type):
        parts = (trace_type._input_workers.serialize(), trace_type._element_spec, trace_type._cardinality,
                 trace_type._enable_get_next_as_optional, getattr(trace_type, "_replica_order", None))
        return f"{type(trace_type).__name__}{parts}"  # its own text has the addresses of two objects: `objects` has them
    if isinstance(trace_type, type_spec.TypeSpec) and ownership.is_user_class(type(trace_type)):
        return f"{kinds.qualified(type(trace_type))}{_part(trace_type._serialize(), name)}"  # it may say less of itself
    if isinstance(trace_type, type_spec.TypeSpec):
        alias = trace_type._alias_id() if isinstance(trace_type, tensor_spec.TensorSpec) else None
        return repr(trace_type) + (f" alias {alias}" if alias is not None else "")
    raise NotDescribable(f"its argument `{name}` has the type {type(trace_type).__name__}")


def _part(value: "Any", name: str) -> "Any":
    """What a type of the program's is made of, as TensorFlow compares it."""
    from tensorflow import TensorShape
    from tensorflow.python.framework import dtypes, type_spec

    told = word(value)
    if told is not None:
        return told
    if isinstance(value, type_spec.TypeSpec):
        return _type(value, name)
    if isinstance(value, (dtypes.DType, TensorShape)):
        return repr(value)
    if isinstance(value, (tuple, list)):
        return f"{type(value).__name__}({','.join(_part(each, name) for each in value)})"
    if isinstance(value, Mapping):
        return f"{type(value).__name__}{[(_part(key, name), _part(each, name)) for key, each in value.items()]}"
    if isinstance(value, type):
        return kinds.qualified(value)
    raise NotDescribable(f"its argument `{name}` has a type with an object of {kinds.qualified(type(value))} in it")
