"""What stands in the libraries' modules, classes, containers and functions, at a glance: block by block, a number from words of memory
that say whether they have changed. After a fork only the blocks whose number is another are told word by word: of thousands a trace
changes a few.

Containers, functions and plain values that there were before are held, so that no other can have their address. Those that nobody else
holds after a trace are let go of before anybody looks: what they alone held goes then, and shows what it does when it goes.
"""

import array
import collections
import itertools
import operator
import types

from firststep_agent import kinds
from firststep_agent.boost.cache_functions.proof import contents, raw, wrappers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

SIZE = 64  # of a block: fewer are told in vain where one has changed, more take less time where none has
_TABLES = kinds.numbers((dict, collections.OrderedDict, collections.defaultdict))
_BY_CHANGES = kinds.numbers((dict, collections.defaultdict))
_FUNCTIONS = kinds.numbers((types.FunctionType,))
_WRAPPERS = kinds.numbers(wrappers.KINDS)
_FIXED = kinds.numbers((tuple, frozenset))
_PUT_ON = operator.attrgetter("__dict__")
_CODE, _DEFAULTS, _KEYWORDS = map(operator.attrgetter, ("__code__", "__defaults__", "__kwdefaults__"))


class Held:
    """Some objects, which it holds. values, at: the objects and where they stand (raw.py)."""

    def __init__(self, values: "Iterable[Any]") -> None:
        self.values = list(values)
        self.at = raw.places(self.values)
        self._numbers: Sequence[int] = range(len(self.values))

    def numbered(self) -> "Iterator[tuple[int, Any]]":
        """Those that are held still, each with its number of the beginning."""
        return zip(self._numbers, self.values)

    def let_go(self) -> bool:
        """Lets go of those that nobody else holds; whether there were any."""
        kept = list(map((1).__lt__, raw.references(self.at)))
        if all(kept):
            return False
        self.at, self._numbers = (list(itertools.compress(each, kept)) for each in (self.at, self._numbers))
        self.values[:] = itertools.compress(self.values, kept)
        return True


class Block:
    """Some of one kind. seen(held): what is the same for as long as what is in them is; tells(value): a token of all that counts of one."""

    def __init__(self, values: "Sequence[Any]", seen: "Callable[[Held], Iterable[Any]]", tells: "Callable[[Any], int]") -> None:
        self._held = Held(values)
        self._seen = seen
        self._tells = tells
        self.let_go = self._held.let_go

    def number(self) -> int:
        """The same for as long as what is in them is the same."""
        return hash(tuple(self._seen(self._held)))

    def words(self) -> "dict[int, int]":
        """{number: token} of those that are held still."""
        return {number: self._tells(value) for number, value in self._held.numbered()}

    def at(self, number: int) -> "Any":
        """One that is held still."""
        return dict(self._held.numbered())[number]


def in_any(held: "Held") -> "Iterable[int]":
    """Sizes of containers, and the addresses of what stands in them, in the order in which each tells it."""
    tables = [value.values() for value in held.values if id(type(value)) in _TABLES]
    return itertools.chain(map(len, held.values), map(id, itertools.chain(*held.values)), map(id, itertools.chain(*tables)))


def by_kind(containers: "list[Any]") -> "Iterator[tuple[list[Any], Callable[[Held], Iterable[Any]]]]":
    """Containers that can be changed, parted by what tells of a change to them."""
    left = dict(zip(raw.places(containers), containers))
    for kinds_of, is_told, seen in _SEEN:
        places = [place for place, value in left.items() if id(type(value)) in kinds_of]
        places = list(itertools.compress(places, is_told(places)))
        yield [left.pop(place) for place in places], seen
    yield list(left.values()), in_any


def _all(places: "list[int]") -> "Iterable[bool]":
    return itertools.repeat(True, len(places))


def _by_changes(places: "list[int]") -> "Iterable[bool]":
    return map((0).__eq__, raw.sharing(places))


_SEEN = (
    (_BY_CHANGES, _by_changes, lambda held: raw.changes(held.at)),
    (kinds.numbers((list,)), _all, lambda held: raw.in_lists(held.at)),
    (kinds.numbers((set,)), _all, lambda held: raw.in_sets(held.at)),
)


def in_functions(held: "Held") -> "Iterable[Any]":
    """What raw.py tells of them, and what stands in their annotations: in a tuple, from which a dictionary is made when it is first asked
    for."""
    (annotated,) = raw.of_functions(held.at, "__annotations__")
    having = [number for number, address in enumerate(annotated) if address]  # a function itself is looked at where there is no other way
    places = [annotated[number] // raw.WORD for number in having]
    are_tables = list(map(id(dict).__eq__, raw.classes(places)))
    in_tuples = iter(raw.in_tuples([place for place, is_table in zip(places, are_tables) if not is_table]))
    told = [_in_table(held.values[number].__annotations__) if is_table else next(in_tuples) for number, is_table in zip(having, are_tables)]
    return itertools.chain(raw.in_functions(held.at), told)


def _in_table(table: "dict[Any, Any]") -> bytes:
    """The addresses of what stands in it, as they stand in a tuple."""
    return array.array("Q", map(id, itertools.chain.from_iterable(table.items()))).tobytes()


class Contained:
    """What attributes lead to by way of containers, each once: containers that can be changed, functions among the attributes, values whose
    address does not say all; fixed: containers that cannot be changed; plain: code, and plain values in containers of which addresses tell.
    A property's function is among the attributes."""

    def __init__(self, scopes: "list[Mapping[str, Any]]", told_apart: "frozenset[int]") -> None:
        """told_apart: ids of the classes of those values."""
        self.containers: list[Any] = []
        self.others: list[Any] = []
        self.fixed: list[Any] = []
        self._met: set[int] = set()
        wanted = contents.CONTAINERS | told_apart
        values = _of(wanted | _FUNCTIONS | _WRAPPERS, list(itertools.chain.from_iterable(each.values() for each in scopes)))
        wrapped = filter(None, map(kinds.plain_function, _of(_WRAPPERS, values)))
        functions = [*_of(_FUNCTIONS, values), *wrapped]
        self.functions = list(dict(zip(map(id, functions), functions)).values())
        self.plain: list[Any] = list(map(_CODE, self.functions))
        level = [*_of(wanted, values), *_of(wanted, list(self._of_functions()))]
        for _ in range(contents.DEEP):
            level = _of(wanted, self._below(level))

    def _of_functions(self) -> "Iterator[Any]":
        """Their defaults, and what was put on them."""
        defaults, keywords, put_on = raw.of_functions(raw.places(self.functions), "__defaults__", "__kwdefaults__", "__dict__")
        yield from map(_DEFAULTS, itertools.compress(self.functions, defaults))
        yield from map(_KEYWORDS, itertools.compress(self.functions, keywords))
        for dictionary in map(_PUT_ON, itertools.compress(self.functions, put_on)):
            yield from dict.values(dictionary)

    def _below(self, level: "Iterable[Any]") -> "list[Any]":
        below: list[Any] = []
        for value in level:
            if id(value) in self._met:
                continue
            self._met.add(id(value))
            kind = id(type(value))
            if kind not in contents.CONTAINERS:
                self.others.append(value)
                continue
            (self.fixed if kind in _FIXED else self.containers).append(value)
            if len(value) <= contents.MOST:
                held = [*value, *value.values()] if kind in _TABLES else value
                below += held
                if kind not in _FIXED and kind not in _BY_CHANGES:
                    self.plain += _of(contents.PLAIN, list(held))
        return below

    def __contains__(self, value: object) -> bool:
        """Whether one is a container or told apart, and was met."""
        return id(value) in self._met


def _of(kinds_of: "frozenset[int]", values: "list[Any]") -> "list[Any]":
    """Those of some classes, by their ids."""
    return list(itertools.compress(values, map(kinds_of.__contains__, map(id, map(type, values)))))
