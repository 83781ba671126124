"""The objects that the collector knows, by class: of the hundreds of thousands that there are few are wanted."""

import gc
import itertools
import types
import weakref

from firststep_agent import kinds
from firststep_agent.boost.cache_functions.proof.glance import without_alone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

_FUNCTION = kinds.numbers((types.FunctionType,))


class Tracked:
    """Those that there are now. functions: all of Python's own class."""

    def __init__(self, *wants: "Callable[[type], bool]") -> None:
        """wants: functions that say of a class whether its objects are wanted, too."""
        found = gc.get_objects()
        numbers = list(map(id, map(type, found)))
        self.functions: list[Any] = list(itertools.compress(found, map(_FUNCTION.__contains__, numbers)))
        by_number = dict(zip(numbers, map(type, found)))  # a class of the program's may make its own of being hashed
        self._by_number = {number: kind for number, kind in by_number.items() if any(is_wanted(kind) for is_wanted in wants)}
        self._values = list(itertools.compress(found, map(self._by_number.__contains__, numbers)))

    def of(self, is_wanted: "Callable[[type], bool]") -> "Iterator[tuple[Any, Any]]":
        """(object, its class) of each whose class is wanted. is_wanted(class) is asked once a class."""
        kinds_of = list(map(type, self._values))
        wanted = {number: is_wanted(kind) for number, kind in self._by_number.items()}
        return itertools.compress(zip(self._values, kinds_of), map(wanted.__getitem__, map(id, kinds_of)))


class Remembered:
    """Some objects. Those that can be referred to weakly are not held; the others until they are let go of."""

    def __init__(self, values: "Iterable[Any]") -> None:
        self._weak: list[Callable[[], Any]] = []
        self._held: list[Any] = []
        for value in values:
            if kinds.may_be_weak(value):
                self._weak.append(weakref.ref(value))
            else:
                self._held.append(value)

    def now(self) -> "list[Any]":
        """Those that are there still, in an order that two forks share."""
        return [*(value for value in (reference() for reference in self._weak) if value is not None), *self._held]

    def let_go(self) -> None:
        """Of those that nobody else holds."""
        self._held = without_alone(self._held)
