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
_DEEP = 12  # containers within containers: all that there are, and an end to those that hold themselves
MOST = 1 << 20  # items of one container that are looked at
_MOST_LENT = 1 << 26  # bytes of one array


def items(value, depth=_DEEP):
    """The items of a container; a set's in no order."""
    if value is None or len(value) > MOST:
        return id(value)
    if kinds.is_a(value, dict):
        return tuple(each(list(value), depth)), tuple(each(list(value.values()), depth))
    if kinds.is_a(value, (set, frozenset)):
        return frozenset(each(list(value), depth))
    return tuple(each(value, depth))


def each(values, depth=_DEEP):
    """A token for each of the values."""
    types_of = set(map(id, map(type, values)))
    if PLAIN.issuperset(types_of):
        return values
    if not types_of & told_apart():
        return [value if id(type(value)) in PLAIN else id(value) for value in values]
    return [_of(value, depth) for value in values]


def _of(value, depth):
    kind = type(value)
    if id(kind) in PLAIN:
        return value
    if id(kind) in CONTAINERS:
        return items(value, depth - 1) if depth else id(value)
    if kind is itertools.count:
        return repr(value)
    return _of_lender(value) if id(kind) in told_apart() else id(value)


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
    return CONTAINERS | kinds.numbers((itertools.count, bytearray, array.array, *(() if numpy is None else (numpy.ndarray,))))
