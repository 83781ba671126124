"""What the program's functions and classes are called, and what they say of their values: code may read both."""

import types

from firststep_agent import kinds
from firststep_agent.boost.objects.leaves import word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_DEEP = 8  # `dict[str, list[int]]`
_UNION = getattr(types, "UnionType", types.GenericAlias)
_OF_ALIASES = "__origin__", "__args__", "__metadata__"


def of(name: str, qualname: str, annotations: "Any") -> "Iterator[tuple[str, str]]":
    """(step, text) of what is not told by the qualified name alone."""
    if name != qualname.rpartition(".")[2]:
        yield "..__name__", name
    if kinds.is_a(annotations, dict) and annotations:
        yield "..__annotations__", _of_dictionary(annotations)


def _of_dictionary(annotations: "dict[Any, Any]") -> str:
    return "; ".join(f"{_told(name)}: {_told(value)}" for name, value in dict.items(annotations))


def _told(value: "Any", depth: int = 0) -> str:
    """Words of values, names of classes; of all else its class. Nothing is taken apart that a method of the program's might answer for."""
    found = word(value)
    if found is not None or depth > _DEEP:
        return found or "…"
    if kinds.is_a(value, type) and type(value) is not types.GenericAlias:
        return kinds.qualified(value)
    return f"{kinds.qualified(type(value))}[{', '.join(_told(part, depth + 1) for part in _parts(value))}]"


def _parts(value: "Any") -> "tuple[Any, ...]":
    kind = type(value)
    if kind is tuple or kind is list:
        return tuple(value)
    if kind is types.GenericAlias:
        return value.__origin__, *value.__args__
    if kind is _UNION:
        return tuple(value.__args__)
    held = kinds.own(value) if kinds.module(kind) == "typing" else {}
    return tuple(held[name] for name in _OF_ALIASES if name in held)
