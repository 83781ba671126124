"""What objects of the libraries' own classes hold, and the cells of closures, whoever holds them: absl's flags, a registry in a library.

No path from the function or from a module of the program's leads to most of them, and a library's module shows them by address alone.
Each counts by its attributes and items: plain values by value, containers by what stands in them, all else by its address. Of the
frameworks' own classes only those count that keep what programs set (_SET_BY_PROGRAMS): the others are filled by any trace.
"""

import collections
import enum
import functools
import itertools
import operator
import types

from firststep_agent import kinds, ownership
from firststep_agent.boost.cache_functions.proof import contents, raw, wrappers
from firststep_agent.boost.objects import notes
from firststep_agent.boost.objects.attributes import attributes
from firststep_agent.boost.objects.parts.instances import is_of_c

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator
    from typing import Any

    from firststep_agent.boost.cache_functions.proof.tracked import Tracked

_ITEMS = (dict, list, tuple, set, frozenset, collections.deque)


def among(tracked: "Tracked") -> "list[Any]":
    """Those among all objects."""
    closures = itertools.compress(tracked.functions, map(operator.is_not, map(_CLOSURE, tracked.functions), itertools.repeat(None)))
    is_wanted_in = functools.cache(lambda name: name == "functools" or ownership.is_other_library(name))
    values = (value for value, kind in tracked.of(is_wanted) if not _is_of_imports(kind) or _is_of_users(value))
    return [*(each for each in closures if _is_wanted_closure(each, is_wanted_in)), *values]


def words(numbered: "Iterable[tuple[int, Any]]", seen: "Container[int]") -> "Iterator[tuple[int, tuple[str, int]]]":
    """(number, (name, token)) of each. seen: addresses of what was looked at already."""
    for number, value in numbered:
        if id(value) in seen:
            continue
        if type(value) is types.FunctionType:
            cells = tuple(map(_of_cell, value.__closure__ or ()))
            yield number, (f"the closure of `{value.__qualname__}` of {value.__module__}", contents.digest(cells))
        elif _has_nothing(value, type(value)):
            yield number, ("", 0)
        else:
            yield number, (f"a `{_name(type(value))}`", contents.digest(of_object(value, type(value))))


def _has_nothing(value: "Any", kind: type) -> bool:
    """Whether it is made in C, and nothing was put on it: to ask it would make a dictionary, for each of a thousand."""
    own = _own_of_c(kind) // raw.WORD
    return own > 0 and not raw.words(place + own for place in raw.places([value]))[0]


@kinds.once
def _own_of_c(kind: type) -> int:
    """Where objects of a class that is made in C keep their dictionary, in bytes; 0 of other classes."""
    return kinds.dict_offset(kind) if is_of_c(kind) else 0


_CLOSURE = operator.attrgetter("__closure__")


def _is_wanted_closure(function: "types.FunctionType", is_wanted_in: "Callable[[str], bool]") -> bool:
    name = function.__module__
    return type(name) is str and is_wanted_in(name) and not ownership.is_ours(function.__code__.co_filename)


def is_wanted(kind: type) -> bool:
    """Whether objects of this class count: those of a class statement that keep nothing in C, and of others what attributes they have."""
    if issubclass(kind, (type, types.ModuleType)) or wrappers.is_wanted(kind):
        return False
    if is_of_c(kind):
        has_attributes = kinds.dict_offset(kind) > 0 and not issubclass(kind, (BaseException, collections.OrderedDict))
        return has_attributes and ownership.module_owner(kinds.module(kind)) != ownership.FRAMEWORK
    module = kinds.module(kind)
    if type(module) is not str or module in _NOT_LOOKED_AT and kinds.name(kind) not in _LOOKED_AT:
        return False  # a class may have a slot that is called `__module__`
    if _is_of_imports(kind):
        return True
    owner = ownership.module_owner(module)
    if owner == ownership.FRAMEWORK:
        return any(_name(base) in _SET_BY_PROGRAMS for base in kinds.mro(kind))
    return not ownership.is_programs(module) and not (owner == ownership.STDLIB and issubclass(kind, enum.Enum))


def _is_of_imports(kind: type) -> bool:
    """Whether its objects say how modules were imported: there are thousands, and those of frameworks and of Python are left alone."""
    module = kinds.module(kind)
    return type(module) is str and module.startswith("_frozen_importlib")


def _is_of_users(value: "Any") -> bool:
    name = getattr(value, "name", None)
    return type(name) is str and ownership.module_owner(name) == ownership.USER


def _name(kind: type) -> str:
    return kinds.qualified(kind)


def _of_cell(cell: "types.CellType") -> "tuple[Any, ...] | None":
    try:
        return tuple(contents.each((cell.cell_contents,)))
    except ValueError:  # not yet assigned
        return None


def of_object(value: "Any", kind: type) -> "tuple[Any, ...]":
    """Names of its attributes, a token for each, and its items."""
    left_out = notes.moving(kind)
    own = {name: held for name, held in attributes(value, kind) if name not in left_out}
    if _name(kind) == _REGISTRY:
        own["_registry"] = _without_numbered(own["_registry"])
    base = next((each for each in _ITEMS if issubclass(kind, each)), None)
    return tuple(own), tuple(contents.each(list(own.values()))), None if base is None else _of_items(value, base)


def _of_items(value: "Any", base: "type[Any]") -> "tuple[int, tuple[Any, ...]]":
    """What a container of a class of its own holds, as the container it is a subclass of."""
    held = [*dict.keys(value), *dict.values(value)] if base is dict else list(base.__iter__(value))
    told = contents.each(held[:contents.MOST])
    return len(held), contents.unordered(told) if base is set or base is frozenset else tuple(told)


def _without_numbered(registry: "dict[Any, Any]") -> "dict[Any, Any]":
    """Less the gradients of single functions, which each trace registers under a name with a number of the process behind."""
    return {name: entry for name, entry in registry.items() if not (type(name) is str and name.rpartition("-")[2].isdigit())}


_REGISTRY = "tensorflow.python.framework.registry.Registry"
_SET_BY_PROGRAMS = frozenset((
    "absl.flags._flagvalues.FlagValues", "absl.flags._flag.Flag",
    _REGISTRY,  # gradients, conversions, statistics by name
    "tensorflow.python.ops.variable_scope.VariableScope",
))
# Modules of Python's, of whose classes there are tens of thousands of objects that nobody changes, and containers that lose what is not
# held any more at any time.
_LOOKED_AT = frozenset(("_DataclassParams",))  # of those modules' after all
_NOT_LOOKED_AT = frozenset(("ast", "dataclasses", "enum", "inspect", "tokenize", "traceback", "typing", "weakref", "_weakrefset"))
