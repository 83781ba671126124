"""Functions of C that code of the user's gives to others to call (`map(os.fstat, …)`): neither a profiler nor `sys.monitoring` sees such
calls, and of what these functions ask the process the child that proves an answer sees another.
"""

import types

from firststep_agent import kinds
from firststep_agent.boost.cache_functions.reads import outside
from firststep_agent.boost.objects import bytecode, words
from firststep_agent.boost.objects.refusal import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_NATIVE = types.BuiltinFunctionType


def check(ran: "Iterable[types.CodeType]", objects: "Iterable[Any]") -> None:
    """Raises Refused for the first one. ran: the user's code that did; objects: among them the functions whose code that is, and partial
    functions."""
    ran_ids = {id(code) for code in ran}
    for value in objects:
        if kinds.qualified(type(value)) == "functools.partial":
            _check(value.func, "it")
        if type(value) is types.FunctionType:
            for code in bytecode.nested(value.__code__):
                if id(code) in ran_ids:
                    for path in bytecode.handed_on(code):
                        _check(_found(value.__globals__, path), words.of_code(code))


def _found(held: "dict[str, Any]", path: "tuple[str, ...]") -> "Any":
    """What stands there, as far as only modules lead to it."""
    value = held.get(path[0])
    for name in path[1:]:
        if type(value) is not types.ModuleType:
            return None
        value = kinds.own(value).get(name)
    return value


def _check(value: "Any", who: str) -> None:
    if type(value) is not _NATIVE or type(value.__module__) is not str:
        return
    name = f"{value.__module__}.{value.__name__}"
    meaning = outside.of_c(f"<built-in method {name}>", True)
    if meaning is not None:
        raise Refused(f"{who} gives a function to others to call that {meaning.format(name)}")
