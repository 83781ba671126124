"""The program's own objects, functions, classes, modules and generators, and all namespaces and variables, whoever holds them: a
local name of a caller, a library's module.

What a trace does to them is seen although no path from the function or from a module of the program's leads there.
"""

import sys
import types

from firststep_agent import kinds, ownership

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from firststep_agent.boost.cache_functions.proof.tracked import Tracked


def now(tracked: "Tracked") -> "frozenset[int]":
    """Addresses of those that there are now. tracked: all objects."""
    is_held = _Held()
    return frozenset(id(value) for value, kind in tracked.of(is_held.any_of) if is_held(value, kind))


def roots(tracked: "Tracked", known: "frozenset[int]") -> "list[tuple[str, Any]]":
    """[(name, value)] of those whose addresses are `known`, in an order that two forks share."""
    is_held = _Held()
    found = [value for value, kind in tracked.of(is_held.any_of) if id(value) in known and is_held(value, kind)]
    return [(_name(value), value) for value in sorted(found, key=id) if is_held.has_value(value)]


def _name(value: "Any") -> str:
    if kinds.is_a(value, types.ModuleType):
        return f"the module `{kinds.module_name(value)}`"
    named = value.__qualname__ if id(type(value)) in _WITH_CODE else kinds.qualname(type(value))
    return f"a `{named}` of the program's"


_GENERATORS = kinds.by_number({types.GeneratorType: "gi_code", types.CoroutineType: "cr_code", types.AsyncGeneratorType: "ag_code"})
_WITH_CODE = frozenset((id(types.FunctionType), *_GENERATORS))


class _Held:
    """Whether a value is one of them."""

    def __init__(self) -> None:
        self._kinds: dict = {}
        self._modules: dict = {}
        module = sys.modules.get("tensorflow.python.ops.resource_variable_ops")
        self._variable: Any = None if module is None else module.BaseResourceVariable

    def any_of(self, kind: type) -> bool:
        """Whether any object of this class may be one."""
        found = self._kinds[id(kind)] = self._of(kind)
        return found is not False

    def __call__(self, value: "Any", kind: type) -> bool:
        """kind: the value's class, of which some may be."""
        found = self._kinds[id(kind)]
        return found is True or found(value)

    def _of(self, kind: type) -> "bool | Callable[[Any], bool]":
        """True or False of all objects of a class, or a function that tells it of each."""
        if id(kind) in _GENERATORS:
            return lambda value: ownership.is_programs_file(getattr(value, _GENERATORS[id(kind)]).co_filename)
        if kind is types.FunctionType or issubclass(kind, type):
            return self._is_of_the_program
        if issubclass(kind, types.ModuleType):
            return ownership.is_programs_module
        return ownership.is_programs(kinds.module(kind)) or kind is types.SimpleNamespace or kinds.is_below(kind, self._variable)

    def _is_of_the_program(self, value: "Any") -> bool:
        """A function or a class. Of the many there are most are of the same few modules."""
        is_function = type(value) is types.FunctionType
        name = value.__module__ if is_function else kinds.module(value)
        if type(name) is not str:
            return is_function and ownership.is_programs_function(value)
        found = self._modules.get(name)
        if found is None:
            found = self._modules[name] = ownership.is_programs(name)
        return found

    def has_value(self, value: "Any") -> bool:
        """False for a variable of a graph, and for one that was not assigned yet."""
        return not kinds.is_below(type(value), self._variable) or (not value._in_graph_mode and bool(value.is_initialized()))
