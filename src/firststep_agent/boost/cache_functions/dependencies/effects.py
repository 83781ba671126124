"""What the trace changed: nothing of the user's may, since a replay would leave it undone.

What frameworks change on their own objects while they build (optimizers, metrics, layers) is told apart: recipes repeat it.
"""

import types

from . import bytecode, expand, packages, paths, words
from .refusal import Refused

# Functions whose stores are part of a build, which recipes repeat.
_BUILDS = frozenset(("build", "tf__build", "__init__", "tf____init__"))


def check(snapshot, user_codes):
    """Raises Refused where the trace changed an object of the user's."""
    stored = _Stored(user_codes)
    for number, step in snapshot.changes():
        if _by_user(snapshot.walk, number, step, stored):
            owner, expression = words.holder(snapshot.walk, number, None if step is None or step[0] in "#@&" else step)
            raise Refused(f"tracing changes `{expression}` of {owner}, which a replay would not do")


def repeatable(snapshot):
    """[[path of the object, attribute, value]]: plain values that frameworks set on objects while they traced."""
    found = []
    for number, step in snapshot.changes():
        if step is None or step[0] != "." or step[1] == ".":
            continue
        value = getattr(snapshot.walk.objects[number], step[1:], None)
        if type(value) in (bool, int, float, str) and step[1:] not in _OF_BUILDS:
            found.append([snapshot.walk.path(number), step[1:], value])
    return found


def repeat(recorded, python_function, arguments=None):
    """Sets what the trace would have set; recipes of builds come first. Raises LookupError where an object is not there."""
    for path, name, value in recorded["effects"]:
        object.__setattr__(paths.resolve(python_function, path, arguments), name, value)


# Set by the builds themselves, which recipes repeat.
_OF_BUILDS = frozenset(("built",))


def of_framework(snapshot):
    """[(path of the object, step)] of every change to a framework's object, or to what one holds."""
    return [(snapshot.walk.path(number), step) for number, step in snapshot.changes()]


class _Stored:
    """What the user's code that ran can change: attribute names it sets, globals it rebinds, names it mentions."""

    def __init__(self, codes):
        self.attributes, self.globals, self.mentioned = set(), set(), set()
        for code in codes:
            self.mentioned.update(code.co_names, code.co_freevars)
            self.globals.update(bytecode.globals_stored(code))
            if code.co_name not in _BUILDS:
                self.attributes.update(bytecode.attributes_stored(code))


def _by_user(found, number, step, stored):
    owner = found.objects[number]
    if isinstance(owner, types.FunctionType):
        return _function_changed(owner, step, stored)
    if isinstance(owner, expand.ModuleRead):
        return False
    if isinstance(owner, types.ModuleType):
        return step is not None and step[1:] in stored.globals | stored.attributes
    if step is not None and step[0] == "." and step[1] != ".":
        return step[1:] in stored.attributes
    return _held_by_user(found, number, stored)


def _function_changed(function, step, stored):
    if not packages.is_user(function):
        return False
    if step is not None and step.startswith("global "):
        return step[7:] in stored.globals
    return step is not None and step.startswith("cell ")


def _held_by_user(found, number, stored):
    """True for a container that the user's code can name: what a framework keeps for itself it also changes itself."""
    at = number
    while True:
        parent, step = found.parents[at]
        if parent < 0:
            return True
        owner = found.objects[parent]
        if step[0] == "." and step[1] != ".":
            return step[1:] in stored.mentioned and (isinstance(owner, type) or packages.is_user_class(type(owner)))
        if step.startswith(("global ", "cell ", "default ", "kwdefault ")):
            return isinstance(owner, types.FunctionType) and packages.is_user(owner)
        if isinstance(owner, types.FunctionType) and not packages.is_user(owner):
            return False
        at = parent
