"""The program's own objects, functions, classes, modules and generators, and all namespaces and variables, whoever holds them: a
local name of a caller, a library's module.

What a trace does to them is seen although no path from the function or from a module of the program's leads there.
"""

import itertools
import operator
import sys
import types

from firststep_agent import kinds, ownership

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from firststep_agent.boost.cache_functions.proof.tracked import Tracked


def among(tracked: "Tracked") -> "list[Any]":
    """Those among all objects."""
    told: dict[int, bool | Callable[[Any], bool]] = {}
    found = list(_functions(tracked.functions))
    for value, kind in tracked.of(is_wanted):
        tells = told[id(kind)] if id(kind) in told else told.setdefault(id(kind), _tells(kind))
        if tells is True or tells and tells(value):
            found.append(value)
    return found


def roots(values: "list[Any]") -> "list[tuple[str, Any]]":
    """[(name, value)] of those that have a value."""
    variable = _variables()
    return [(_name(value), value) for value in values if not kinds.is_below(type(value), variable) or _is_assigned(value)]


def _variables() -> "Any":
    module = sys.modules.get("tensorflow.python.ops.resource_variable_ops")
    return None if module is None else module.BaseResourceVariable


def _is_assigned(variable: "Any") -> bool:
    """False for a variable of a graph, and for one that was not assigned yet."""
    return not variable._in_graph_mode and bool(variable.is_initialized())


def _name(value: "Any") -> str:
    if kinds.is_a(value, types.ModuleType):
        return f"the module `{kinds.module_name(value)}`"
    named = value.__qualname__ if id(type(value)) in _WITH_CODE else kinds.qualname(type(value))
    return f"a `{named}` of the program's"


def is_programs_generator(value: "Any") -> bool:
    """Of one of GENERATORS, whether its code is the program's."""
    return ownership.is_programs_file(getattr(value, GENERATORS[id(type(value))]).co_filename)


GENERATORS = kinds.by_number({types.GeneratorType: "gi_code", types.CoroutineType: "cr_code", types.AsyncGeneratorType: "ag_code"})
_WITH_CODE = frozenset((id(types.FunctionType), *GENERATORS))


def is_wanted(kind: type) -> bool:
    """Whether any object of this class, which is not Python's own of functions, may be one."""
    return _tells(kind) is not False


def _tells(kind: type) -> "bool | Callable[[Any], bool]":
    """True or False of all objects of a class, or a function that tells it of each."""
    if id(kind) in GENERATORS:
        return is_programs_generator
    if issubclass(kind, type):
        return lambda value: ownership.is_programs(kinds.module(value))
    if issubclass(kind, types.ModuleType):
        return ownership.is_programs_module
    return ownership.is_programs(kinds.module(kind)) or kind is types.SimpleNamespace or kinds.is_below(kind, _variables())


def _functions(functions: "list[Any]") -> "Iterator[Any]":
    """Those of the program's. Of the many there are most are of the same few modules."""
    names = list(map(operator.attrgetter("__module__"), functions))
    is_named = list(map(operator.is_, map(type, names), itertools.repeat(str)))
    whose = {name: ownership.is_programs(name) for name in set(itertools.compress(names, is_named))}
    theirs = map(whose.__getitem__, itertools.compress(names, is_named))
    yield from itertools.compress(itertools.compress(functions, is_named), theirs)
    yield from filter(ownership.is_programs_function, itertools.compress(functions, map(operator.not_, is_named)))
