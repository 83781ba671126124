"""Lists, dictionaries and tuples that a trace makes and leaves somewhere (`self.states = [h1, h2]`), told and made again: each once,
wherever it was put."""

from firststep_agent import kinds
from firststep_agent.boost.cache_functions.reads.kept_tensors import NotTold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# Kind -> the class of Python's own that it is, or is a subclass of.
_KINDS = {"list": list, "dict": dict, "tuple": tuple,
          "keras.src.utils.tracking.TrackedList": list, "keras.src.utils.tracking.TrackedDict": dict}
_OF_PYTHON = kinds.by_number({list: "list", dict: "dict", tuple: "tuple"})
_TRACKER = "tracker"  # of Keras's, which are told by their layer's


def kind_of(value: "Any") -> "str | None":
    """Which kind, or None: of no other class is it known what it takes to make one."""
    kind = _OF_PYTHON.get(id(type(value))) or kinds.qualified(type(value))
    return kind if kind in _KINDS and kinds.own(value).keys() <= {_TRACKER} else None


def is_tracker(value: "Any") -> bool:
    """Whether it is what Keras 3 keeps account of a layer's parts with."""
    return kinds.qualified(type(value)) == "keras.src.utils.tracking.Tracker"


def items_of(value: "Any") -> "list[tuple[Any, Any]]":
    """[(key or None, item)], past what its class makes of it."""
    if kinds.is_a(value, dict):
        return list(dict.items(value))
    return [(None, item) for item in (list if kinds.is_a(value, list) else tuple).__iter__(value)]


class ToldContainers:
    """Those that were told: [[kind, [[key or None, item]], its tracker or None]]. check_key: raises NotTold."""

    def __init__(self, check_key: "Callable[[Any], None]") -> None:
        self.all: list[list[Any]] = []
        self._check_key = check_key
        self._numbers: dict[int, Any] = {}  # id -> number; what the trace has set keeps them alive

    def number(self, value: "Any", kind: str, tell: "Callable[[Any], Any]") -> "Any":
        """Which one it is. tell: of an item or a tracker; who tells holds this. Raises NotTold, also where it holds itself."""
        if id(value) in self._numbers:
            number = self._numbers[id(value)]
            if number is None:
                raise NotTold
            return number
        self._numbers[id(value)] = None
        items = []
        for key, item in items_of(value):
            self._check_key(key)
            items.append([key, tell(item)])
        held = kinds.own(value)
        self.all.append([kind, items, tell(held[_TRACKER]) if held else None])
        self._numbers[id(value)] = len(self.all) - 1
        return self._numbers[id(value)]


class MadeContainers:
    """Those that were told, in this process: each when it is first asked for."""

    def __init__(self, told: "list[Any]") -> None:
        self._told = told
        self._made: dict[int, Any] = {}

    def value(self, number: int, make: "Callable[[Any], Any]") -> "Any":
        """The one of this number. make: of an item or a tracker; who makes holds this."""
        if number not in self._made:
            kind, items, tracker = self._told[number]
            self._made[number] = _filled(kind, [(key, make(item)) for key, item in items])
            if tracker is not None:
                kinds.own(self._made[number])[_TRACKER] = make(tracker)
        return self._made[number]

    def items(self, number: int) -> "list[Any]":
        """What was told of its items."""
        return [item for _, item in self._told[number][1]]


def _filled(kind: str, items: "list[tuple[Any, Any]]") -> "Any":
    base = _KINDS[kind]
    if base is tuple:
        return tuple(item for _, item in items)
    made = base() if kind == base.__name__ else _class_of(kind).__new__(_class_of(kind))
    if base is dict:
        dict.update(made, items)
    else:
        list.extend(made, [item for _, item in items])
    return made


def _class_of(kind: str) -> "Any":
    import importlib

    module, _, name = kind.rpartition(".")
    return getattr(importlib.import_module(module), name)
