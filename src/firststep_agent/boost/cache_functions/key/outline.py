"""What stands below a function in rough outline: enough to tell one model's step from another's, cheap enough for every look-up."""

import types

from firststep_agent import kinds, ownership
from firststep_agent.boost.objects.expand import expand
from firststep_agent.boost.objects.leaves import LEAVES
from firststep_agent.boost.objects.pausing import Paused
from firststep_agent.boost.objects.reading import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_OBJECTS = 300
_OPEN = kinds.numbers((list, tuple, dict, types.FunctionType, types.MethodType))
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
                todo.extend(child for _, child in expand(value, reading)[1])
    return " ".join(words)


def _is_open(kind: type) -> bool:
    if id(kind) in _OPEN:
        return True
    module = str(kinds.module(kind))
    return module.partition(".")[0] not in _CLOSED and ownership.module_owner(module) != ownership.STDLIB
