"""What stands below a function in rough outline: enough to tell one model's step from another's, cheap enough for every look-up."""

import types

from firststep_agent import kinds, ownership
from firststep_agent.boost.objects.expand import expand
from firststep_agent.boost.objects.leaves import LEAVES
from firststep_agent.boost.objects.pausing import Paused
from firststep_agent.boost.objects.reading import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_OBJECTS = 300
_OPEN = kinds.numbers((list, tuple, dict, types.FunctionType, types.MethodType))
_SEQUENCES = kinds.numbers((list, tuple))
_PLAIN = kinds.numbers((list, tuple, dict))
_CLOSED = ("numpy", "tensorflow")  # their objects count by type alone: taking them apart may mean reading contents


def sketch(named_roots: "list[tuple[str, Any]]") -> str:
    """A text of the types of the first objects below the roots, breadth first."""
    reading = Reading()
    todo, seen = [value for _, value in named_roots], set()
    words: list = []
    with Paused():
        for value in todo:
            if len(words) >= _OBJECTS:
                break
            kind = type(value)
            if id(value) in seen or id(kind) in LEAVES:
                continue
            seen.add(id(value))
            words.append(kinds.qualname(kind))
            if _is_open(kind):
                children = [child for _, child in expand(value, reading)[1]]
                todo.extend(_first_of_each(children) if id(kind) in _SEQUENCES else children)
    return " ".join(words)


def _first_of_each(items: "list[Any]") -> "Iterator[Any]":
    """Of a sequence's plain containers one of each class: a list of all starts so far has one item more in each."""
    met: set[int] = set()
    for each in items:
        number = id(type(each))
        if number not in met:
            yield each
        if number in _PLAIN:
            met.add(number)


def _is_open(kind: type) -> bool:
    if id(kind) in _OPEN:
        return True
    module = str(kinds.module(kind))
    return module.partition(".")[0] not in _CLOSED and ownership.module_owner(module) != ownership.STDLIB
