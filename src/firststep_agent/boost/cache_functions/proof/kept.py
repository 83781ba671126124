"""What objects of the libraries' own classes hold, and the cells of closures, whoever holds them: absl's flags, a registry in a library.

No path from the function or from a module of the program's leads to most of them, and a library's module shows them by address alone.
Each counts by its attributes and items: plain values by value, containers by what stands in them, all else by its address. Of the
frameworks' own classes only those count that keep what programs set (_SET_BY_PROGRAMS): the others are filled by any trace.
"""

import collections
import gc
import itertools
import types

from firststep_agent import ownership
from firststep_agent.boost.cache_functions.proof import contents
from firststep_agent.boost.objects.expand import attributes, made_in_c

_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: made by a class statement, or by an extension
_ITEMS = (dict, list, tuple, set, frozenset, collections.deque)


class Kept:
    """Those that there are now, before the trace."""

    def __init__(self):
        self._wanted: dict = {}  # a class, or the name of a module with closures: whether its own count
        self._known = frozenset(id(value) for value, _ in self._now())

    def _now(self):
        """(value, class or module it counts by) of each that counts."""
        values = gc.get_objects()
        kinds = list(map(type, values))
        wanted = self._wanted
        for kind in set(kinds):
            if kind not in wanted:
                wanted[kind] = kind is types.FunctionType or _is_wanted(kind)
        for value, kind in itertools.compress(zip(values, kinds), map(wanted.__getitem__, kinds)):
            if kind is not types.FunctionType:
                yield value, kind
            elif value.__closure__ and self._has_wanted_closures(value):
                yield value, value.__module__

    def _has_wanted_closures(self, function):
        name = function.__module__
        if type(name) is not str or ownership.is_ours(function.__code__.co_filename):
            return False
        found = self._wanted.get(name)
        if found is None:
            found = self._wanted[name] = _is_librarys(name)
        return found

    def narrow(self):
        """Leaves out what is there no more: parts of an earlier trace, which is undone before the next one."""
        self._known &= frozenset(id(value) for value, _ in self._now())

    def words(self, seen):
        """(name, token) of each, in an order that two forks share. seen: addresses of what was looked at already."""
        found = [(id(value), value, by) for value, by in self._now() if id(value) in self._known and id(value) not in seen]
        found.sort(key=lambda each: each[0])
        for _, value, by in found:
            if isinstance(by, str):
                yield f"a closure of {by}", hash(tuple(map(_of_cell, value.__closure__)))
            else:
                yield f"a `{_name(by)}`", hash(_of_object(value, by))


def _is_librarys(module):
    return ownership.module_owner(module) != ownership.FRAMEWORK and not ownership.is_programs(module)


def _is_wanted(kind):
    """Whether its objects count: a class that a class statement made, and that keeps nothing in C."""
    if not kind.__flags__ & _HEAP_TYPE or issubclass(kind, (type, types.ModuleType)) or made_in_c(kind):
        return False
    if not isinstance(kind.__module__, str) or _name(kind) in _NOT_LOOKED_AT:  # a class may have a slot that is called `__module__`
        return False
    return _is_librarys(kind.__module__) or any(_name(base) in _SET_BY_PROGRAMS for base in kind.__mro__)


def _name(kind):
    return f"{kind.__module__}.{kind.__qualname__}"


def _of_cell(cell):
    try:
        return tuple(contents.each((cell.cell_contents,)))
    except ValueError:  # not yet assigned
        return None


def _of_object(value, kind):
    left_out = _MOVING.get(_name(kind), ())
    own = {name: held for name, held in attributes(value, kind) if name not in left_out}
    if _name(kind) == _REGISTRY:
        own["_registry"] = _without_numbered(own["_registry"])
    base = next((each for each in _ITEMS if issubclass(kind, each)), None)
    return tuple(own), tuple(contents.each(list(own.values()))), None if base is None else _of_items(value, base)


def _of_items(value, base):
    """What a container of a class of its own holds, as the container it is a subclass of."""
    if base is dict:
        return contents.items(dict(dict.items(value)))
    plain = base.__iter__(value)
    return contents.items(frozenset(plain) if base in (set, frozenset) else list(plain))


def _without_numbered(registry):
    """Less the gradients of single functions, which each trace registers under a name with a number of the process behind."""
    return {name: entry for name, entry in registry.items() if not (isinstance(name, str) and name.rpartition("-")[2].isdigit())}


_REGISTRY = "tensorflow.python.framework.registry.Registry"
_SET_BY_PROGRAMS = frozenset((
    "absl.flags._flagvalues.FlagValues", "absl.flags._flag.Flag",
    _REGISTRY,  # gradients, conversions, statistics by name
))
_NOT_LOOKED_AT = frozenset((
    "inspect.Parameter", "inspect.Signature", "inspect.FullArgSpec", "typing.ForwardRef",  # tens of thousands, which nobody changes
    "weakref.WeakKeyDictionary", "weakref.WeakValueDictionary", "weakref.WeakSet",  # lose what is not held any more, at any time
))
# Class -> attributes that a trace moves and that decide nothing later, each with the reason.
_MOVING = {
    "logging.Logger": ("_cache",),  # answers to whether a level is on, by level
}
