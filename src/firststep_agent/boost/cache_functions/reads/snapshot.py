"""The user-reachable state before the trace, in full: later filtered to what counts, and compared to find effects."""

import types
from collections import Counter

from firststep_agent import kinds, ownership
from firststep_agent.boost.cache_functions.reads.plain_values import is_whole
from firststep_agent.boost.objects import notes, special
from firststep_agent.boost.objects.expand import expand
from firststep_agent.boost.objects.leaves import word
from firststep_agent.boost.objects.parts import callables, naming
from firststep_agent.boost.objects.pausing import Paused
from firststep_agent.boost.objects.reading import Reading
from firststep_agent.boost.objects.refusal import Refused
from firststep_agent.boost.objects.walk import EPHEMERAL, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from firststep_agent.boost.cache_functions.reads.names import Names
    from firststep_agent.boost.objects.walk import Walk


class TooMuch(Refused):
    """To look through all that can be reached would take longer than a trace."""


class Snapshot:
    """`kept`: id -> (object, head, children, kind) of everything below the roots, taken when it was made. Raises TooMuch where that is more
    than so many functions, those of frameworks apart."""

    def __init__(self, named_roots: "list[tuple[str, Any]]", most_functions: "int | None" = None) -> None:
        self.roots = named_roots
        self._most, self._functions = most_functions, 0
        self._packages: Counter[str] = Counter()
        self._changes: list[tuple[int, str | None]] | None = None
        self.kept: dict[int, tuple[Any, tuple[str, list[tuple[str, Any]], int | None]]] = {}
        reading = Reading()

        def keep(value):
            if type(value) is types.FunctionType:
                self._count(value)
            parts = _taken_apart(value, reading)
            self.kept[id(value)] = (value, parts)
            return parts

        with Paused():
            self.walk = walk(named_roots, reading, keep)

    def _count(self, function: "types.FunctionType") -> None:
        """One more, of whatever is not a framework's."""
        if self._most is None or ownership.owner(function.__code__.co_filename) == ownership.FRAMEWORK:
            return
        name = dict.get(function.__globals__, "__name__")
        self._packages[name.partition(".")[0] if type(name) is str else "__main__"] += 1
        self._functions += 1
        if self._functions > self._most:
            raise TooMuch(f"it can reach more than {self._most:,} functions, most of them of `{self._packages.most_common(1)[0][0]}`: "
                          "give it the numbers of a `DataFrame`, say, and not the object")

    def filtered(self, names: "Names", values: "frozenset[int]") -> "Walk":
        """The walk over the state as it was, with only the names that count. `values`: ids of tensors whose contents count."""

        def parts(value):
            if id(value) in values or special.is_stream(type(value)):
                return expand(value, wanted)
            head, children, kind = self.kept[id(value)][1]
            if id(type(value)) in naming.TELLING or issubclass(type(value), type):
                children = naming.where_named(children, names.told)
            if type(value) is types.FunctionType and not callables.has_run(value, names):
                head, children = callables.as_defined(head, children)
            skipped = notes.unread(type(value), names.seeds or not kind)
            if skipped:
                children = [c for c in children if c[0][1:] not in skipped]
            return head, children, kind

        wanted = Reading(names, values)
        with Paused():
            return walk(self.roots, wanted, parts)

    def changes(self) -> "list[tuple[int, str | None]]":
        """What is different when first asked: [(number of the object in `walk`, step or None)]; None: the object as a whole."""
        if self._changes is None:
            self._changes = self._compare()
        return self._changes

    def _compare(self) -> "list[tuple[int, str | None]]":
        found: list[tuple[int, str | None]] = []
        reading = Reading()
        with Paused():
            for number, value in enumerate(self.walk.objects):
                before = self.kept.get(id(value))
                if before is None or id(type(value)) in EPHEMERAL:
                    continue
                head, children, _ = _taken_apart(value, reading)
                old_head, old_children, _ = before[1]
                if head != old_head:
                    found.append((number, None))
                found.extend((number, step) for step in _differences(old_children, children))
        return found


def _taken_apart(value: "Any", reading: "Reading") -> "tuple[str, list[tuple[str, Any]], int | None]":
    """As `expand` does, and of what no trace reads whatever is no more than its value, and what a tracked dictionary notes of itself: a
    trace may set that (`layer._called`)."""
    head, children, kind = expand(value, reading)
    names = notes.unread(type(value), True)
    held = kinds.own(value) if names else {}
    return head, [*children, *(("." + name, held[name]) for name in sorted(names & held.keys())
                               if is_whole(held[name]) or name == notes.TRACKED)], kind


def _differences(old: "Any", new: "Any") -> "Iterator[str]":
    old, new = dict(old), dict(new)
    for step in {**old, **new}:
        if step not in old or step not in new or not same(old[step], new[step]):
            yield step


def same(old: "Any", new: "Any", depth: int = 0) -> bool:
    """Whether that is no change: the same object, or what is told by its value alone and has the same."""
    if old is new:
        return True
    kind = type(old)
    if kind is not type(new):
        return False
    told = word(old)
    if told is not None:
        return told == word(new) and old == old  # a NaN that is another one is found in no list that holds the first
    if id(kind) in EPHEMERAL and depth < 20:
        reading = Reading()
        one, other = expand(old, reading), expand(new, reading)
        first, second = list(one[1]), list(other[1])
        return one[0] == other[0] and len(first) == len(second) and all(
            a[0] == b[0] and same(a[1], b[1], depth + 1) for a, b in zip(first, second))
    return False
