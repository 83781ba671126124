"""What the program's functions and classes are called, and what they say of their values: code may read both."""

import types

from firststep_agent import kinds
from firststep_agent.boost.objects.leaves import word
from firststep_agent.boost.objects.reading import ModuleRead

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from firststep_agent.boost.objects.reading import Reading

_DEEP = 8  # `dict[str, list[int]]`
_UNION = getattr(types, "UnionType", types.GenericAlias)
_OF_ALIASES = "__origin__", "__args__", "__metadata__"


def of(name: str, qualname: str, annotations: "Any") -> "Iterator[tuple[str, str]]":
    """(step, text) of what is not told by the qualified name alone."""
    if name != qualname.rpartition(".")[2]:
        yield "..__name__", name
    if kinds.is_a(annotations, dict) and annotations:
        yield "..__annotations__", _of_dictionary(annotations)


TELLING = kinds.numbers((types.FunctionType, types.ModuleType, ModuleRead))  # whose objects may have such steps; and so may classes
TOLD = "named "  # a step to what counts only where the program's own code names it
FIELDS = frozenset(("__dataclass_fields__", "__attrs_attrs__"))  # with defaults, which stand in the class or its constructor as well
_OF_CLASSES = ("__doc__", "__slots__", "__match_args__", "__orig_bases__", "__parameters__", "__abstractmethods__")
_NOT_OF_MODULES = frozenset("""__builtins__ __loader__ __spec__ __cached__ __path__ __warningregistry__ __dict__ __getattr__ __dir__
    __annotations__""".split())


def of_class(namespace: "Mapping[str, Any]", reading: "Reading") -> "Iterator[tuple[str, str]]":
    """(step, text) of what a class tells of itself, besides what counts in any case."""
    return _told_where_named([name for name in _OF_CLASSES if name in namespace], namespace, reading)


def of_module(scope: "dict[str, Any]", reading: "Reading") -> "Iterator[tuple[str, str]]":
    """The same of a module: its `__version__`, its `__file__`."""
    return _told_where_named([name for name in scope if name[:2] == "__" and name not in _NOT_OF_MODULES], scope, reading)


def of_function(function: "types.FunctionType", reading: "Reading") -> "Iterator[tuple[str, str]]":
    """The same of a function."""
    return _told_where_named(["__doc__"], {"__doc__": function.__doc__}, reading)


def _told_where_named(names: "list[str]", held: "Mapping[str, Any]", reading: "Reading") -> "Iterator[tuple[str, str]]":
    for name in names:
        if reading.names is None or name in reading.names.told:
            yield TOLD + name, told(held[name])


def where_named(children: "list[tuple[str, Any]]", names: "frozenset[str]") -> "list[tuple[str, Any]]":
    """Of children that were made whoever reads, those that count for code that has these names."""
    at = len(TOLD)
    return [each for each in children if (each[0][at:] in names if each[0][:at] == TOLD else _may_be_read(each[0][1:], names))]


def _may_be_read(name: str, names: "frozenset[str]") -> bool:
    return name not in FIELDS or name in names


def is_read(name: str, reading: "Reading") -> bool:
    """Whether an attribute of a class may count, whatever its name."""
    return reading.names is None or _may_be_read(name, reading.names.told)


def _of_dictionary(annotations: "dict[Any, Any]") -> str:
    return "; ".join(f"{told(name)}: {told(value)}" for name, value in dict.items(annotations))


def told(value: "Any", depth: int = 0) -> str:
    """Words of values, names of classes; of all else its class. Nothing is taken apart that a method of the program's might answer for."""
    found = word(value)
    if found is not None or depth > _DEEP:
        return found or "…"
    if kinds.is_a(value, type) and type(value) is not types.GenericAlias:
        return kinds.qualified(value)
    return f"{kinds.qualified(type(value))}[{', '.join(told(part, depth + 1) for part in _parts(value))}]"


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
