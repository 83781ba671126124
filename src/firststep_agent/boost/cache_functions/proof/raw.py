"""Words of this process's memory, by address. Whoever looks at an object counts a reference to it, and a forked child then has the page
to itself. To read words leaves the pages shared, and takes a tenth of the time.

The places are CPython's, 3.9 to 3.13 (64 bits): the heads of `PyDictObject`, `PyListObject`, `PyTupleObject`, `PySetObject` and
`PyWeakReference` in its `Include/cpython`. Those of functions and classes, which differ between versions, are found in one made for that.
"""

import ctypes
import functools
import itertools
import operator
import weakref

from firststep_agent import kinds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

WORD = 8  # bytes
_ADDRESSES = 1 << 48  # bytes of address space that a process may have
_CLASS = 1  # of any object
_TAG, _VALUES = 3, 5  # words of a dictionary: the number of its last change (PEP 509), and where its values are if its keys are shared
_LENGTH = 2  # of a list, a tuple or a dictionary
_ITEMS = 3  # of a list
_OF_TUPLE = 3  # where a tuple's items begin
_OF_SET = _FILL, _USED, _MASK, _TABLE = 2, 3, 4, 5
_REFERRED = 2  # of a weak reference
_OF_FUNCTION = (
    "__code__", "__defaults__", "__kwdefaults__", "__closure__", "__name__", "__qualname__", "__module__", "__doc__", "__dict__",
    "__annotations__")
_ENTRY, _SMALLEST = 2, 7  # words of one in a set's table, and the mask of the smallest


@functools.lru_cache(maxsize=1)
def _memory() -> "memoryview":
    """All that the process could have, in words. It takes none itself, and a place where nothing is must not be read.

    Raises RuntimeError where the places are not those that are known.
    """
    memory = memoryview((ctypes.c_ubyte * _ADDRESSES).from_address(0)).cast("B").cast("Q")
    if not _is_known(memory):
        raise RuntimeError("where this Python keeps what is in its objects is not known")
    return memory


def places(values: "Iterable[Any]") -> "list[int]":
    """Where the objects stand, in words: what this module is asked for."""
    return [id(value) // WORD for value in values]


def words(at: "Iterable[int]") -> "tuple[int, ...]":
    """What stands there."""
    any_two = id(None) // WORD, id(None) // WORD  # asked for one alone, the getter tells no tuple
    return operator.itemgetter(*any_two, *at)(_memory())[2:]  # type: ignore[no-any-return]


def classes(at: "Sequence[int]") -> "tuple[int, ...]":
    """Of objects: addresses of their classes."""
    return words([place + _CLASS for place in at])


def references(at: "Sequence[int]") -> "tuple[int, ...]":
    """How often each object is referred to; large numbers for those that never go."""
    return words(at)


def changes(at: "Sequence[int]") -> "tuple[int, ...]":
    """Of dictionaries that share their keys with no other: numbers that are others after each change."""
    return words([place + _TAG for place in at])


def sharing(at: "Sequence[int]") -> "tuple[int, ...]":
    """Of dictionaries: 0 where they share their keys with no other."""
    return words([place + _VALUES for place in at])


def spans(at: "Iterable[int]", first: int, last: int) -> "Iterator[bytes]":
    """Of each object the bytes of its words from `first` to before `last`."""
    memory = _memory()
    return (memory[place + first:place + last].tobytes() for place in at)


def in_lists(at: "Sequence[int]") -> "Iterable[Any]":
    """Of lists: how many items, and the bytes of their addresses."""
    lengths, items = words([place + _LENGTH for place in at]), words([place + _ITEMS for place in at])
    return itertools.chain(lengths, map(_span, items, lengths))


def in_sets(at: "Sequence[int]") -> "Iterable[Any]":
    """Of sets: the heads of their tables, and the tables' bytes."""
    heads = [words([place + word for place in at]) for word in _OF_SET]
    return itertools.chain(*heads, map(_span, heads[3], [(mask + 1) * _ENTRY for mask in heads[2]]))


def of_functions(at: "Sequence[int]", *names: str) -> "list[tuple[int, ...]]":
    """Of functions, for each of these attributes: the addresses of what stands there, 0 where nothing does."""
    return [words([place + _in_function()[name] for place in at]) for name in names]


def in_functions(at: "Sequence[int]") -> "Iterable[Any]":
    """Of functions: the words of all that says what they do and are called, and of what was put on them numbers that are others after each
    change. An empty dictionary is made when it is first asked for, and is none."""
    (put_on,) = of_functions(at, "__dict__")
    tables = [address // WORD for address in put_on if address]
    held = itertools.compress(tables, words([place + _LENGTH for place in tables]))
    return itertools.chain(*(spans(at, first, last) for first, last in _heads()), changes(list(held)))


def in_tuples(at: "Sequence[int]") -> "Iterable[bytes]":
    """Of tuples: the bytes of the addresses of their items."""
    lengths = words([place + _LENGTH for place in at])
    return map(_span, [(place + _OF_TUPLE) * WORD for place in at], lengths)


def in_classes(at: "Sequence[int]") -> "Iterable[int]":
    """Of classes that Python code has made: addresses of their names, and of what says where they look for attributes."""
    return itertools.chain(*(words([place + word for place in at]) for word in _in_class()))


def referred(at: "Sequence[int]") -> "tuple[int, ...]":
    """Of weak references: addresses of what they refer to, other numbers where that is gone."""
    return words([place + _REFERRED for place in at])


def _span(address: int, size: int) -> bytes:
    return _memory()[address // WORD:address // WORD + size].tobytes()


@functools.lru_cache(maxsize=1)
def _in_function() -> "dict[str, int]":
    """{attribute: in which word a function keeps what stands there}."""
    enclosed = None

    def function(a=(), *, b=None):
        """Tried."""
        return enclosed

    function.__name__, function.__qualname__, function.__module__ = "a name", "a longer name", "a module"
    return {name: _word(_memory(), function, getattr(function, name)) for name in _OF_FUNCTION}


@functools.lru_cache(maxsize=1)
def _heads() -> "list[tuple[int, int]]":
    """The same words, [first, last) of those that stand in a row, less those of what is made when it is first asked for. What lies between
    others moves, a list of weak references for one."""
    found = sorted(word for name, word in _in_function().items() if name not in ("__annotations__", "__dict__"))
    firsts = [word for word in found if word - 1 not in found]
    lasts = [word + 1 for word in found if word + 1 not in found]
    return list(zip(firsts, lasts))


@functools.lru_cache(maxsize=1)
def _in_class() -> "list[int]":
    """In which words such a class keeps its names, and the order of the classes it looks through."""
    tried = type("a name", (), {"__qualname__": "a longer name"})
    return [_word(_memory(), tried, held) for held in (kinds.mro(tried), tried.__name__, tried.__qualname__)]


def _word(memory: "memoryview", holder: "Any", held: "Any") -> int:
    """In which word of an object the address of another stands. Raises StopIteration."""
    at = id(holder) // WORD
    return next(word for word in range(2, type(holder).__basicsize__ // WORD) if memory[at + word] == id(held))


def _is_known(memory: "memoryview") -> bool:
    """Whether the words that are named here mean what they are said to, in objects made for that."""
    one = _WithAttributes()
    table, listed, fixed, members, weak = {1: 2}, [one, one, one], (one, one), {one}, weakref.ref(one)
    of_table, of_shared, of_listed, of_fixed, of_members, of_weak = places([table, vars(one), listed, fixed, members, weak])
    tags = [memory[of_table + _TAG]]
    for use in (table.copy, functools.partial(table.update, {1: 3})):
        use()
        tags.append(memory[of_table + _TAG])
    in_set = memory[memory[of_members + _TABLE] // WORD:][:(_SMALLEST + 1) * _ENTRY]
    return (tags[0] == tags[1] != tags[2] and not memory[of_table + _VALUES] and memory[of_shared + _VALUES] != 0
            and memory[of_listed + _LENGTH] == 3 and memory[memory[of_listed + _ITEMS] // WORD] == id(one)
            and memory[of_fixed + _LENGTH] == 2 and memory[of_fixed + _OF_TUPLE] == id(one)
            and memory[of_members + _FILL] == memory[of_members + _USED] == 1 and memory[of_members + _MASK] == _SMALLEST
            and id(one) in in_set.tolist() and memory[of_weak + _REFERRED] == id(one))


class _WithAttributes:
    def __init__(self) -> None:
        self.a = 1
