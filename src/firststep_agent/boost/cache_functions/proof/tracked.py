"""The objects that the collector knows, by class: there are hundreds of thousands, of which few are wanted."""

import gc
import itertools
import operator
import types
import weakref

from firststep_agent import kinds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

# Classes of Python's own whose objects are nearly all that there is, and that nobody wants.
_NEVER_WANTED = kinds.numbers((
    dict, list, tuple, set, frozenset, property, classmethod, staticmethod, weakref.ref, types.BuiltinFunctionType, types.CellType,
    types.GetSetDescriptorType, types.MappingProxyType, types.MemberDescriptorType, types.MethodDescriptorType, types.MethodType,
    types.WrapperDescriptorType,
))


class Tracked:
    """Those that there are now."""

    def __init__(self) -> None:
        found = gc.get_objects()
        numbers = map(id, map(type, found))
        self._values = list(itertools.compress(found, map(operator.not_, map(_NEVER_WANTED.__contains__, numbers))))
        self._kinds = list(map(type, self._values))
        self._numbers = list(map(id, self._kinds))
        self._by_number = dict(zip(self._numbers, self._kinds))  # a class of the program's may make its own of being hashed

    def of(self, is_wanted: "Callable[[type], bool]") -> "Iterator[tuple[Any, Any]]":
        """(object, its class) of each whose class is wanted. is_wanted(class) is asked once a class."""
        wanted = {number: is_wanted(kind) for number, kind in self._by_number.items()}
        return itertools.compress(zip(self._values, self._kinds), map(wanted.__getitem__, self._numbers))
