"""What stands in the libraries' modules, classes, containers and functions, at a glance: block by block, a number from the addresses of
all that is in them. After a fork only the blocks whose number is another are told word by word: of thousands a trace changes a few.

Containers, functions and plain values that there were before are held, so that no other can have their address. Those that nobody else
holds after a trace are let go of before anybody looks: what they alone held goes then, and shows what it does when it goes.
"""

import collections
import itertools
import operator
import sys
import types

from firststep_agent import kinds
from firststep_agent.boost.cache_functions.proof import contents, thorough

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

SIZE = 64  # of a block: fewer are told in vain where one has changed, more take less time where none has
_TABLES = kinds.numbers((dict, collections.OrderedDict, collections.defaultdict))
_FUNCTIONS = kinds.numbers((types.FunctionType,))
_WRAPPERS = kinds.numbers((property, classmethod, staticmethod))
_FIXED = kinds.numbers((tuple, frozenset))
_NAMES = "__code__", "__defaults__", "__kwdefaults__", "__dict__"
_OF_FUNCTION = operator.attrgetter(*_NAMES)
_CODE, _DEFAULTS, _KEYWORDS, _PUT_ON = map(operator.attrgetter, _NAMES)
_ALONE = next(map(sys.getrefcount, [object()]))  # references to what a list alone holds


class Block:
    """Some of one kind. seen(values): numbers that are the same for as long as what is in them is; tells(value): a token of all that
    counts of one."""

    def __init__(self, values: "Sequence[Any]", seen: "Callable[[list[Any]], Iterable[int]]", tells: "Callable[[Any], int]") -> None:
        self._places = list(range(len(values)))
        self._values = list(values)
        self._seen = seen
        self._tells = tells

    def number(self) -> int:
        """The same for as long as what is in them is the same."""
        return hash(tuple(self._seen(self._values)))

    def words(self) -> "dict[int, int]":
        """{place: token} of those that are held still."""
        return {place: self._tells(value) for place, value in zip(self._places, self._values)}

    def at(self, place: int) -> "Any":
        """One that is held still."""
        return self._values[self._places.index(place)]

    def let_go(self) -> bool:
        """Lets go of those that nobody else holds; whether there were any."""
        kept = held_elsewhere(self._values)
        if all(kept):
            return False
        self._places, self._values = (list(itertools.compress(each, kept)) for each in (self._places, self._values))
        return True


def held_elsewhere(values: "list[Any]") -> "list[bool]":
    """Of each value in a list whether anything but this list holds it."""
    return list(map(_ALONE.__lt__, map(sys.getrefcount, values)))


def without_alone(values: "list[Any]") -> "list[Any]":
    """Those in a list that anything else holds, too."""
    return list(itertools.compress(values, held_elsewhere(values)))


def in_containers(containers: "list[Any]") -> "Iterable[int]":
    """Their sizes, and the addresses of what stands in them, in the order in which each tells it."""
    tables = [value.values() for value in containers if id(type(value)) in _TABLES]
    return itertools.chain(map(len, containers), map(id, itertools.chain(*containers)), map(id, itertools.chain(*tables)))


def in_functions(functions: "list[Any]") -> "Iterable[int]":
    """Addresses of their code, their defaults and what was put on them."""
    put_on = list(itertools.compress(map(_PUT_ON, functions), map(dict.__len__, map(_PUT_ON, functions))))
    seen = itertools.chain(*map(_OF_FUNCTION, functions), *map(dict.keys, put_on), *map(dict.values, put_on))
    return itertools.chain(map(dict.__len__, put_on), map(id, put_on), map(id, seen))


class Contained:
    """What attributes lead to by way of containers, each once: containers that can be changed, functions among the attributes, values whose
    address does not say all; plain: names, plain values and code; fixed: containers that cannot be changed. A property's function is among
    the attributes."""

    def __init__(self, scopes: "list[Mapping[str, Any]]", told_apart: "frozenset[int]") -> None:
        """told_apart: ids of the classes of those values."""
        self.containers: list[Any] = []
        self.others: list[Any] = []
        self.fixed: list[Any] = []
        self.plain: list[Any] = list(itertools.chain.from_iterable(scopes))
        self._met: set[int] = set()
        level = list(itertools.chain.from_iterable(each.values() for each in scopes))
        types_of = list(map(id, map(type, level)))
        functions = list(itertools.compress(level, map(_FUNCTIONS.__contains__, types_of)))
        wrapped = map(kinds.plain_function, itertools.compress(level, map(_WRAPPERS.__contains__, types_of)))
        functions += [function for function in wrapped if function is not None]
        self.functions = list(dict(zip(map(id, functions), functions)).values())
        self.plain += map(_CODE, self.functions)
        level += self._of_functions()
        wanted = contents.CONTAINERS.union(told_apart)
        for _ in range(contents.DEEP):
            types_of = list(map(id, map(type, level)))
            self.plain += itertools.compress(level, map(contents.PLAIN.__contains__, types_of))
            level = self._below(itertools.compress(level, map(wanted.__contains__, types_of)))

    def _of_functions(self) -> "Iterator[Any]":
        """Their defaults, and what was put on them."""
        for part in (_DEFAULTS, _KEYWORDS):
            yield from (held for held in map(part, self.functions) if held is not None)
        for function in itertools.compress(self.functions, map(dict.__len__, map(_PUT_ON, self.functions))):
            yield from (held for _, held in thorough.attributes_of(function))

    def _below(self, wanted: "Iterable[Any]") -> "list[Any]":
        below: list[Any] = []
        for value in wanted:
            if id(value) in self._met:
                continue
            self._met.add(id(value))
            kind = id(type(value))
            if kind not in contents.CONTAINERS:
                self.others.append(value)
                continue
            (self.fixed if kind in _FIXED else self.containers).append(value)
            if len(value) <= contents.MOST:
                below += value
                if kind in _TABLES:
                    below += value.values()
        return below

    def __contains__(self, value: object) -> bool:
        """Whether one is a container or told apart, and was met."""
        return id(value) in self._met
