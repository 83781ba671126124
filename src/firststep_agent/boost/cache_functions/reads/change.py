"""One place that a trace set: what was there, what is there now; set again, and put back."""

import weakref

from firststep_agent import kinds
from firststep_agent.boost.cache_functions.reads import places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, TypeVar

    T = TypeVar("T")


class Change:
    """One place that the trace set. step: of `places`, from the owner to it. before, after: [the value], or [] where there was none."""

    def __init__(self, owner: "Any", step: str, before: "list[Any]", after: "list[Any]") -> None:
        self._owner, self.step, self._before, self.after = _given(owner), step, _given(before), after

    @property
    def owner(self) -> "Any":
        """The object, or None once it has gone."""
        return self._owner()

    @property
    def before(self) -> "list[Any]":
        return self._before()

    @before.setter
    def before(self, then: "list[Any]") -> None:
        self._before = _given(then)

    def let_go(self, owner: "Callable[[], Any]") -> None:
        """It has been repeated: what it holds is kept alive no longer. owner(): gives that, or None."""
        self._owner, self.after = owner, []
        self._before = _weakly(self.step, self.before)

    def begin(self) -> None:
        """It is about to be set."""
        self.before = self.held()

    def repeat(self) -> None:
        """Sets it. What the trace sets does not depend on what was there: where it reads that, the key holds it."""
        self.begin()
        self.set(self.after)

    def held(self) -> "list[Any]":
        """[What is there now], or []."""
        owner = self.owner
        return [] if owner is None else places.place(owner, self.step).held()

    def set(self, then: "list[Any]") -> None:
        """then: [what is to be there], or []."""
        owner = self.owner
        if owner is None:
            return
        place = places.place(owner, self.step)
        if then:
            place.set(then[0])
        elif place.held():
            place.clear()


def places_of(changes: "Iterable[Change]") -> "frozenset[tuple[int, str]]":
    """{(id of the owner, step)}, which keeps nothing alive."""
    return frozenset((id(change.owner), change.step) for change in changes)


def repeat(changes: "Iterable[Change]") -> None:
    """Sets what the trace has set."""
    for change in changes:
        change.repeat()


def put_back(changes: "list[Change]") -> None:
    """Leaves what was there before: the last first, for two functions may have one global."""
    for change in reversed(changes):
        change.set(change.before)


def _given(value: "T") -> "Callable[[], T]":
    return lambda: value


def _weakly(step: str, held: "list[Any]") -> "Callable[[], list[Any]]":
    """A function that gives [what is held] again, or [], without what has gone since."""
    if not held or step not in places.CONTENTS:
        references: list[Any] = [reference_to(value) for value in held]
        return lambda: [value() for value in references]
    references = [(key, reference_to(value)) for key, value in held[0]]
    return lambda: [[(key, value()) for key, value in references]]


def reference_to(value: "Any") -> "Callable[[], Any]":
    """A function that gives it, or None once it has gone."""
    return weakref.ref(value) if kinds.may_be_weak(value) else _given(value)
