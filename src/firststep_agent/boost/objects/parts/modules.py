"""Modules taken apart: the program's as they are, a library's as far as some code can name it."""

import types

from firststep_agent import kinds, ownership
from firststep_agent.boost.objects import bytecode
from firststep_agent.boost.objects.parts import naming, opaque
from firststep_agent.boost.objects.reading import ModuleRead
from firststep_agent.boost.objects.special import ALONE, NO_FILTER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from firststep_agent.boost.objects.reading import Reading
    from firststep_agent.boost.objects.special import Parts


def for_code(value: "Any", code: "types.CodeType") -> "Any":
    """A library's module is cut down to what the code can name in it; the user's are taken as they are."""
    if kinds.is_a(value, types.ModuleType) and ownership.module_owner_of(value) != ownership.USER:
        return ModuleRead.of(value, _module_names(code))
    return value


_names_of_code: dict = {}


def _module_names(code: "types.CodeType") -> "tuple[str, ...]":
    found = _names_of_code.get(id(code))
    if found is None:
        found = {}
        for each in bytecode.nested(code):
            found.update(dict.fromkeys(each.co_names))
            # `from package import name` and `import a.b` inside a function name modules in constants
            for constant in each.co_consts:
                if type(constant) is tuple:
                    found.update(dict.fromkeys(c for c in constant if type(c) is str))
        found = _names_of_code[id(code)] = (code, tuple(found))
    return found[1]


def of_module_read(read: "ModuleRead", reading: "Reading") -> "Parts":
    module = read.module
    scope = kinds.own(module)
    children = []
    for name in read.names:
        if name not in scope or (name[:2] == "__" and name not in _OF_SYS):
            continue
        value = scope[name]
        if kinds.is_a(value, types.ModuleType):
            if value is module:
                continue
            if ownership.module_owner_of(value) != ownership.USER:
                value = ModuleRead.of(value, read.names)
        children.append((".." + name, value))
    children += naming.of_module({name: scope[name] for name in read.names if name in scope}, reading)
    return f"module {kinds.module_name(module)}", children, NO_FILTER


_OF_SYS = ("__stdin__",)


def of_module(module: "types.ModuleType", reading: "Reading") -> "Parts":
    if ownership.module_owner_of(module) != ownership.USER:
        return f"module {kinds.module_name(module)}", (), NO_FILTER
    if not opaque.are_text(list(kinds.own(module))):
        return opaque.without_text(f"the module `{kinds.module_name(module)}`")
    keep = reading.names.by_kind[ALONE] if reading.names is not None else None
    children = []
    for name, value in kinds.own(module).items():
        if name[:2] != "__" and (keep is None or name in keep) or name == "__getattr__":  # which gives what is not there
            children.append(("." + name, value))
    children += naming.of_module(kinds.own(module), reading)
    return f"module {kinds.module_name(module)}", children, ALONE
