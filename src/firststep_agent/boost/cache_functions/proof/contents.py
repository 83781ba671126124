"""What stands in a container, for comparing two forks of one process: plain values and arrays by value, all else by its address."""

import array
import collections
import functools
import itertools
import sys

from firststep_agent import kinds
from firststep_agent.boost.cache_functions.proof import native_memory

PLAIN = kinds.numbers((bool, int, float, str, bytes, complex, type(None)))
CONTAINERS = kinds.numbers((dict, list, set, frozenset, tuple, collections.OrderedDict, collections.defaultdict, collections.deque))
_COUNT = id(itertools.count)
_MOST = 4096  # items of one container that are looked at
_MOST_LENT = 1 << 20  # bytes of one array


def items(value, depth=2):
    """The items of a container; a set's in no order."""
    if value is None or len(value) > _MOST:
        return id(value)
    if kinds.is_a(value, dict):
        return tuple(each(list(value), depth)), tuple(each(list(value.values()), depth))
    if kinds.is_a(value, (set, frozenset)):
        return frozenset(each(list(value), depth))
    return tuple(each(value, depth))


def each(values, depth=2):
    """A token for each of the values."""
    types_of = list(map(id, map(type, values)))
    if PLAIN.issuperset(types_of):
        return values
    apart = told_apart()
    if apart.isdisjoint(types_of):
        return [value if kind in PLAIN else id(value) for value, kind in zip(values, types_of)]
    return [value if kind in PLAIN else _of(value, kind, depth) if kind in apart else id(value) for value, kind in zip(values, types_of)]


def _of(value, kind, depth):
    """The token of a value of which the address does not say all; kind: the id of its class."""
    if kind in CONTAINERS:
        return items(value, depth - 1) if depth else id(value)
    return repr(value) if kind == _COUNT else _of_lender(value)


def _of_lender(value):
    """Address and contents of an array, a large one's address alone."""
    try:
        return id(value), native_memory.lent(value, _MOST_LENT)
    except native_memory.TooLarge:
        return id(value), None


@functools.lru_cache(maxsize=1)
def told_apart():
    """Ids of the types of which the address does not say all."""
    numpy = sys.modules.get("numpy")
    return CONTAINERS | {_COUNT} | kinds.numbers((bytearray, array.array, *(() if numpy is None else (numpy.ndarray,))))
