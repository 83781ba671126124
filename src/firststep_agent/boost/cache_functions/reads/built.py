"""What the builds in a trace have made of objects and containers: recipes repeat it."""

from firststep_agent import kinds
from firststep_agent.boost.cache_functions.reads import places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from typing import Any

    Held = dict[int, tuple[Any, Any]]  # id -> (object or container, its attributes or what it holds)

_NOTHING: "list[Any]" = []


class Built:
    """Of one trace. Of what several builds touch the last one counts."""

    def __init__(self) -> None:
        self._after: Held = {}
        self._set: set[tuple[int, str]] = set()
        self._alone: dict[int, tuple[Any, dict[str, Any], tuple[int, int]]] = {}  # id -> (object, its attributes, build and place there)
        self._count = 0

    def attributes(self, before: "Held", after: "Held") -> None:
        """A build has made this of objects."""
        for place, (key, (owner, held)) in enumerate(after.items()):
            _, was = before.get(key, (None, {}))
            changed = [name for name in {**was, **held} if was.get(name, _NOTHING) is not held.get(name, _NOTHING)]
            self._set.update((key, "." + name) for name in changed)
            _, alone, _ = self._alone.setdefault(key, (owner, dict(held), (self._count, place)))
            if key in before:
                _bring(changed, held, alone)
        self._after.update(after)
        self._count += 1

    def contents(self, before: "Held", after: "Held") -> None:
        """A build has made this of containers."""
        for key, (_, held) in after.items():
            is_told = type(held) is not set  # of which no trace's change is repeated
            if is_told and not (key in before and _are_the_same(places.pairs(before[key][1]), places.pairs(held))):
                self._set.update((key, step) for step in places.CONTENTS)
        self._after.update(after)

    def left(self, owner: "Any", step: str) -> "list[Any] | None":
        """[What stands at a place of it right after its last build], or []; None where no build has set that."""
        if (id(owner), step) not in self._set:
            return None
        held = self._after[id(owner)][1]
        return [places.pairs(held)] if step in places.CONTENTS else places.within(held, step[1:])

    def made(self, before: "Container[int]") -> "Iterator[tuple[Any, dict[str, Any], tuple[int, int]]]":
        """(object, its attributes as builds alone leave it, (which build was the first to touch it, its place among what that touched)) of
        those whose ids are not in `before`."""
        return (known for key, known in self._alone.items() if key not in before)

    def is_as_left(self, owner: "Any", step: str, now: "list[Any]") -> bool:
        """Whether at a place of it is now what a build has put there: `now` is [that], or []."""
        left = self.left(owner, step)
        if left is None:
            return False
        return _are_the_same(left[0], now[0]) if step in places.CONTENTS else kinds.same(left, now)


def _bring(names: "list[str]", held: "dict[str, Any]", alone: "dict[str, Any]") -> None:
    """Into `alone` what is now under these names, or is not there any more."""
    for name in names:
        alone.pop(name, None)
        if name in held:
            alone[name] = held[name]


def _are_the_same(some: "list[tuple[Any, Any]]", others: "list[tuple[Any, Any]]") -> bool:
    return len(some) == len(others) and all(key == other and one is another for (key, one), (other, another) in zip(some, others))
