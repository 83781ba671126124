"""Whether the program's own code can have changed a place, or a framework, which keeps account of its own."""

import sys
import types

from firststep_agent import kinds, ownership
from firststep_agent.boost.objects import bytecode
from firststep_agent.boost.objects.reading import ModuleRead

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from firststep_agent.boost.objects.walk import Walk

# Functions whose stores are part of a build, which recipes repeat.
_BUILDS = frozenset(("build", "tf__build", "__init__", "tf____init__"))


class UsersStores:
    """What the user's code that ran can change: attribute names it sets, globals it rebinds, names it mentions."""

    def __init__(self, codes: "Iterable[types.CodeType]") -> None:
        self.attributes, self.globals = set(), set()
        self.mentioned: set[str] = set()
        for code in codes:
            self.mentioned.update(code.co_names, code.co_freevars)
            self.globals.update(bytecode.globals_stored(code))
            if code.co_name not in _BUILDS:
                self.attributes.update(bytecode.attributes_stored(code))


def by_user(found: "Walk", number: int, step: "str | None", stored: "UsersStores") -> bool:
    """Whether what changed at this step of the object of that number in a walk may be the user's doing. stored: a UsersStores."""
    owner = found.objects[number]
    if type(owner) is types.FunctionType:
        return _function_changed(owner, step, stored)
    if type(owner) is ModuleRead:
        return False
    if owner is sys.modules:  # what a trace is the first to import is as good at a later import
        return False
    if kinds.is_a(owner, types.ModuleType):
        return step is not None and step[1:] in stored.globals | stored.attributes
    if step is not None and step[0] == "." and step[1] != ".":
        return step[1:] in stored.attributes
    return _held_by_user(found, number, stored)


def _function_changed(function: "types.FunctionType", step: "str | None", stored: "UsersStores") -> bool:
    if not ownership.is_user(function):
        return False
    if step is not None and step.startswith("global "):
        return step[7:] in stored.globals
    return step is not None and step.startswith("cell ")


def _held_by_user(found: "Walk", number: int, stored: "UsersStores") -> bool:
    """True for a container that the user's code can name: what a framework keeps for itself it also changes itself."""
    at = number
    while True:
        parent, step = found.parents[at]
        if parent < 0:
            return True
        owner = found.objects[parent]
        if step[0] == "." and step[1] != ".":
            return step[1:] in stored.mentioned and (kinds.is_a(owner, type) or ownership.is_user_class(type(owner)))
        if type(owner) is ModuleRead:  # of a library's, which may fill it itself: `linecache.cache`
            return step[2:] in stored.mentioned
        if step.startswith(("global ", "cell ", "default ", "kwdefault ")):
            return type(owner) is types.FunctionType and ownership.is_user(owner)
        if type(owner) is types.FunctionType and not ownership.is_user(owner):
            return False
        at = parent
