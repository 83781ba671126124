"""Where a point is in the modules that are loaded, whether it is there, and whether it is still the framework's own."""

import sys

from firststep_agent import ownership
from firststep_agent.frameworks.standing import attribute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from firststep_agent.frameworks.points import Point

CODE = "__code__"  # the last name of a point that is a function's code, and not the function


def owner_of(module: "Any", path: str) -> "tuple[Any, str]":
    """(the module or class that holds the attribute, the attribute's name); (None, name) where there is none."""
    *classes, name = path.split(".")
    owner = module
    for step in classes:
        owner = vars(owner).get(step)
        if not isinstance(owner, type):
            return None, name
    return owner, name


def found(point: "Point", module: "Any") -> "tuple[Any, str, Any]":
    """(owner, name, what stands there); Raises Absent, with the reason in words."""
    path, _, last = point.attribute.rpartition(".")
    if last == CODE:
        return _code(point, module, path)
    owner, name = owner_of(module, point.attribute)
    if owner is None:
        raise Absent(f"{point.module} has no class {path}")
    if name not in vars(owner) and not (point.inherited and attribute(owner, name) is not None):
        raise Absent(f"there is no {point.name}")
    return owner, name, attribute(owner, name)


def _code(point: "Point", module: "Any", path: str) -> "tuple[Any, str, Any]":
    """The code of the framework's own function, also where ours stands in its place."""
    owner, name = owner_of(module, path)
    function = None if owner is None else below_ours(vars(owner).get(name))
    code = getattr(function, CODE, None)
    if code is None:
        raise Absent(f"there is no {point.name}")
    return function, CODE, code


def below_ours(value: "Any") -> "Any":
    """What is called in the end where `value` is ours, else `value`: as a function, if it is a class's or static method."""
    while True:
        value = getattr(value, "__func__", value)
        code = getattr(value, CODE, None)
        if code is None or not ownership.is_ours(code.co_filename):
            return value
        value = getattr(value, "__wrapped__", None)


def is_read(point: "Point", module: "Any") -> "bool | str":
    """True, or in words why a point that is only read is not there. An attribute of instances is looked for in its class's code."""
    owner, name = owner_of(module, point.attribute)
    if owner is None:
        return f"{point.module} has no class {point.attribute.rpartition('.')[0]}"
    if attribute(owner, name) is not None or hasattr(owner, name):
        return True
    if isinstance(owner, type) and any(_names(value, name) for base in owner.__mro__ for value in vars(base).values()):
        return True
    return f"there is no {point.name}"


def is_own(point: "Point") -> bool:
    """Whether a framework's own function is what a call at `point` comes to: nobody has put another in its place.

    Who goes another way than through a point asks this first: another's function there would not be called.
    """
    module = sys.modules.get(point.module)
    owner, name = (None, None) if module is None else owner_of(module, point.attribute)
    value = None if owner is None else vars(owner).get(name)
    code = getattr(below_ours(value), CODE, None)
    return code is not None and ownership.owner(code.co_filename) == ownership.FRAMEWORK


def _names(value: "Any", name: str) -> bool:
    """Whether a function's code, or that of one below it, has such a name."""
    function = getattr(value, "fget", None) or getattr(value, "__func__", value)
    while function is not None:
        code = getattr(function, "__code__", None)
        if code is not None and name in code.co_names:
            return True
        function = getattr(function, "__wrapped__", None)
    return False


class Absent(Exception):
    """A point is not where the table says."""
