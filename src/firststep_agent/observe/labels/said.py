"""What objects of the program are called in a label, told without running any code of the program's.

A `__str__`, `__repr__`, `__fspath__`, `__len__`, `__eq__` or property of the program's may count its calls, take long, raise, or change
what is computed. So the program's classes are not asked: what they inherit from Python's own is taken as Python does it, and of all else
it is the class that is told.
"""

from firststep_agent import kinds
from firststep_agent.as_found import os
from firststep_agent.ownership import is_programs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PLAIN = kinds.numbers((bool, int, float, type(None)))


def is_of_program(value: object) -> bool:
    """Whether a class of the program's may answer for it."""
    return any(is_programs(kinds.module(cls)) for cls in kinds.mro(type(value)))


def text(value: "Any") -> str:
    """The words for a name, a number or a path; of all else its class's name."""
    if kinds.is_a(value, str):
        return str.__str__(value)
    if kinds.is_a(value, bytes):
        return bytes.decode(value, errors="replace")
    if id(type(value)) in _PLAIN:
        return str(value)
    if is_of_program(value):
        return kinds.name(type(value))
    if kinds.module(type(value)) == "numpy":  # a number
        return str(value)
    return os.fsdecode(value) if _is_path(value) else kinds.name(type(value))


def _is_path(value: object) -> bool:
    return any("__fspath__" in kinds.namespace(cls) for cls in kinds.mro(type(value)))


def name(value: "Any") -> str:
    """The qualified name of a function or a class; of another object its class's."""
    found = attribute(value, "__qualname__")
    return found if type(found) is str else kinds.name(type(value))


def attribute(value: "Any", name: str) -> "Any":
    """An attribute, None where there is none, or where a class of the program's would answer for it."""
    if not is_of_program(value):
        return getattr(value, name, None)
    classes = kinds.mro(type(value))
    holders = [next((cls for cls in classes if each in kinds.namespace(cls)), None) for each in ("__getattribute__", name)]
    if holders[1] is None or any(is_programs(kinds.module(cls)) for cls in holders if cls is not None):
        return kinds.own(value).get(name)
    return getattr(value, name, None)


def items(value: "Any") -> "list[Any] | None":
    """What a tuple or a list holds, or a dictionary under its keys; None of all else."""
    for cls in (tuple, list):
        if kinds.is_a(value, cls):
            return list(cls.__iter__(value))
    return list(dict.values(value)) if kinds.is_a(value, dict) else None


def leaves(value: "Any") -> "list[Any]":
    """All that is no tuple, list or dictionary within these."""
    inner = items(value)
    return [value] if inner is None else [leaf for one in inner for leaf in leaves(one)]


def length(value: "Any") -> int:
    """How many a tuple, list or dictionary holds; 1 of all else."""
    inner = items(value)
    return 1 if inner is None else len(inner)
