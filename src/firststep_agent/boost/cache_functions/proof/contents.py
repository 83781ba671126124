"""What stands in a container, for comparing two forks of one process: plain values and arrays by value, all else by its address.

Tokens are compared by their digests, never by Python's own hash: that is one for -1 and -2, for 1, 1.0 and True, for "a" and b"a". So
also nothing else may have the token of another: an address, a list and a tuple of the same.
"""

import array
import collections
import functools
import itertools
import marshal
import sys

from firststep_agent import kinds
from firststep_agent.boost.cache_functions.proof import native_memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import Any

PLAIN = kinds.numbers((bool, int, float, str, bytes, complex, type(None)))
CONTAINERS = kinds.numbers((dict, list, set, frozenset, tuple, collections.OrderedDict, collections.defaultdict, collections.deque))
_COUNT = id(itertools.count)
DEEP = 12  # containers within containers: all that there are
MOST = 1 << 20  # items of one container that are looked at
_MOST_LENT = 1 << 26  # bytes of one array
_BY_VALUE = 2  # the last format of `marshal` in which neither who holds a value nor whether a string is interned shows


def items(value: "Any", depth: int = DEEP, seen: "dict[int, int] | None" = None) -> "tuple[Any, ...]":
    """The token of a container: its class's name and its items; a set's in no order. seen: {address: number} of the containers that were
    taken apart already within this look: one may lead back to itself, and many ways may lead to one, which counts by its number from
    then on."""
    seen = {} if seen is None else seen
    if value is None or len(value) > MOST:
        return (id(value),)
    if id(value) in seen:
        return "again", seen[id(value)]
    seen[id(value)] = len(seen)
    name = kinds.name(type(value))
    if kinds.is_a(value, dict):
        return name, tuple(each(list(value), depth, seen)), tuple(each(list(value.values()), depth, seen))
    if kinds.is_a(value, (set, frozenset)):
        plain = PLAIN.issuperset(map(id, map(type, value)))
        return name, unordered(value if plain else (token for element in value for token in each((element,), depth, dict(seen))))
    return name, tuple(each(value, depth, seen))


def unordered(tokens: "Iterable[Any]") -> "tuple[bytes, ...]":
    """One token for those of a set, whichever way they come."""
    return tuple(sorted(map(_bytes, tokens)))


def digest(token: "Any") -> int:
    """A number for a token."""
    return hash(_bytes(token))


def _bytes(token: "Any") -> bytes:
    """Those of plain values in tuples and lists, exact for each: 1, 1.0 and True, 0.0 and -0.0 differ."""
    return marshal.dumps(token, _BY_VALUE)


def each(values: "Collection[Any]", depth: int = DEEP, seen: "dict[int, int] | None" = None) -> "Collection[Any]":
    """A token for each of the values: itself where it is plain, else a tuple, which says by its first item what it tells of."""
    types_of = list(map(id, map(type, values)))
    if PLAIN.issuperset(types_of):
        return values
    apart = told_apart()
    if apart.isdisjoint(types_of):
        return [value if kind in PLAIN else (id(value),) for value, kind in zip(values, types_of)]
    seen = {} if seen is None else seen
    return [value if kind in PLAIN else _of(value, kind, depth, seen) if kind in apart else (id(value),)
            for value, kind in zip(values, types_of)]


def _of(value: "Any", kind: int, depth: int, seen: "dict[int, int]") -> "tuple[Any, ...]":
    """The token of a value of which the address does not say all; kind: the id of its class."""
    if kind in CONTAINERS:
        return items(value, depth - 1, seen) if depth else (id(value),)
    return ("count", repr(value)) if kind == _COUNT else _of_lender(value)


def _of_lender(value: "Any") -> "tuple[Any, ...]":
    """Address and contents of an array, a large one's address alone."""
    try:
        return "lent", id(value), native_memory.lent(value, _MOST_LENT)
    except native_memory.TooLarge:
        return (id(value),)


@functools.lru_cache(maxsize=1)
def told_apart() -> "frozenset[int]":
    """Ids of the types of which the address does not say all."""
    numpy = sys.modules.get("numpy")
    return CONTAINERS | {_COUNT} | kinds.numbers((bytearray, array.array, *(() if numpy is None else (numpy.ndarray,))))


@functools.lru_cache(maxsize=1)
def told_by_value() -> "frozenset[int]":
    """Ids of the types whose values count by more than their address."""
    return PLAIN | told_apart()
