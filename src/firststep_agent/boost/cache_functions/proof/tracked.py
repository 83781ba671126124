"""The objects that the collector knows, by class: of the hundreds of thousands that there are few are wanted."""

import contextlib
import gc
import itertools
import types
import weakref

from firststep_agent import kinds
from firststep_agent.boost.cache_functions.proof.glance import Held

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

_FUNCTION = kinds.numbers((types.FunctionType,))


@contextlib.contextmanager
def unfrozen() -> "Iterator[None]":
    """What a program has frozen (`gc.freeze`) the collector does not tell of. Afterwards all are, and only what is made since is not."""
    was_frozen = gc.get_freeze_count() > 0
    gc.unfreeze()
    try:
        yield
    finally:
        if was_frozen:
            gc.freeze()


class Tracked:
    """Those that there are now. functions: all of Python's own class."""

    def __init__(self, *wants: "Callable[[type], bool]") -> None:
        """wants: functions that say of a class whether its objects are wanted, too."""
        found = gc.get_objects()
        kinds_of = list(map(type, found))  # each object is looked at once
        by_number = dict(zip(map(id, kinds_of), kinds_of))  # a class of the program's may make its own of being hashed
        self._by_number = {number: kind for number, kind in by_number.items() if any(is_wanted(kind) for is_wanted in wants)}
        wanted = list(itertools.compress(found, map((self._by_number.keys() | _FUNCTION).__contains__, map(id, kinds_of))))
        self.functions: list[Any] = [value for value in wanted if type(value) is types.FunctionType]
        self._values = [value for value in wanted if type(value) is not types.FunctionType]

    def of(self, is_wanted: "Callable[[type], bool]") -> "Iterator[tuple[Any, Any]]":
        """(object, its class) of each whose class is wanted. is_wanted(class) is asked once a class."""
        kinds_of = list(map(type, self._values))
        wanted = {number: is_wanted(kind) for number, kind in self._by_number.items()}
        return itertools.compress(zip(self._values, kinds_of), map(wanted.__getitem__, map(id, kinds_of)))


class Remembered:
    """Some objects. Those that can be referred to weakly are not held; the others until they are let go of."""

    def __init__(self, values: "Iterable[Any]") -> None:
        self._weak: list[Callable[[], Any]] = []
        held: list[Any] = []
        for value in values:
            if kinds.may_be_weak(value):
                self._weak.append(weakref.ref(value))
            else:
                held.append(value)
        self._held = Held(held)
        self.number = len(self._weak) + len(held)

    def now(self) -> "list[Any]":
        """Those that are there still, in an order that two forks share."""
        return [value for _, value in self.numbered()]

    def numbered(self) -> "Iterator[tuple[int, Any]]":
        """The same, each with its number of the beginning."""
        weak = ((number, reference()) for number, reference in enumerate(self._weak))
        yield from ((number, value) for number, value in weak if value is not None)
        yield from ((len(self._weak) + number, value) for number, value in self._held.numbered())

    def let_go(self) -> None:
        """Of those that nobody else holds."""
        self._held.let_go()
