"""What the trace changed: nothing of the user's may, since a replay would leave it undone.

What frameworks change on their own objects while they build (optimizers, metrics, layers) is told apart: recipes repeat it.
"""

import sys
import types

from firststep_agent import kinds, ownership
from firststep_agent.boost.objects import bytecode, expand, paths, special, words
from firststep_agent.boost.objects.refusal import Refused

# Functions whose stores are part of a build, which recipes repeat.
_BUILDS = frozenset(("build", "tf__build", "__init__", "tf____init__"))

_PLAIN = kinds.numbers((type(None), bool, int, float, str))


def check(snapshot, user_codes):
    """Raises Refused where the trace changed an object of the user's."""
    stored = _Stored(user_codes)
    for number, step in snapshot.changes():
        if _by_user(snapshot.walk, number, step, stored):
            owner, expression = words.holder(snapshot.walk, number, None if step is None or step[0] in "#@&" else step)
            raise Refused(f"tracing changes `{expression}` of {owner}, which a replay would not do")


def repeatable(snapshot, built):
    """[(object, its number, attribute, value before, value after)]: plain values that frameworks set on objects while they traced.
    A value is [it], or [] where there was no such attribute; for an object of `built`, the value before is that right after its
    build."""
    found = []
    for number, step in snapshot.changes():
        if step is None or step[0] != "." or step[1] == ".":
            continue
        owner, name = snapshot.walk.objects[number], step[1:]
        if name in special.unread(type(owner), True):
            continue
        before = dict(snapshot.kept[id(owner)][1][1])
        old, new = _plain(before, step), _plain(kinds.own(owner), name)
        if id(owner) in built:
            old = _plain(built[id(owner)][1], name)
        if old is not None and new is not None:
            found.append((owner, number, name, old, new))
    return found


def to_json(snapshot, found):
    """[[path of the object before the trace, its class, attribute, value before, value after]] of what `repeatable` found."""
    return [[snapshot.walk.path(number), kinds.qualname(type(owner)), name, old, new] for owner, number, name, old, new in found]


def _plain(values, name):
    if name not in values:
        return []
    return [values[name]] if id(type(values[name])) in _PLAIN else None


def recorded(manifest, python_function):
    """[(object, attribute, value before, value after)] of this process; before any build, which may move objects.

    Raises LookupError where an object is not there.
    """
    found = []
    for path, cls, name, old, new in manifest["effects"]:
        owner = paths.resolve(python_function, path)
        if kinds.qualname(type(owner)) != cls:
            raise LookupError(f"a {kinds.qualname(type(owner))} is where a {cls} was, whose `{name}` the trace sets")
        found.append((owner, name, old, new))
    return found


def repeat(found):
    """Sets what the trace would have set and recipes of builds, which come first, have not."""
    for owner, name, old, new in found:
        _change(owner, name, old, new)


def put_back(found):
    """Undoes `repeat` where nobody has changed it since: the state that a trace put off until now is to see."""
    for owner, name, old, new in found:
        _change(owner, name, new, old)


def _change(owner, name, now, then):
    if _plain(kinds.own(owner), name) != now:
        return
    kind = type if kinds.is_a(owner, type) else object  # past what its own class makes of it
    if then:
        kind.__setattr__(owner, name, then[0])
    else:
        kind.__delattr__(owner, name)


class _Stored:
    """What the user's code that ran can change: attribute names it sets, globals it rebinds, names it mentions."""

    def __init__(self, codes):
        self.attributes, self.globals = set(), set()
        self.mentioned: set = set()
        for code in codes:
            self.mentioned.update(code.co_names, code.co_freevars)
            self.globals.update(bytecode.globals_stored(code))
            if code.co_name not in _BUILDS:
                self.attributes.update(bytecode.attributes_stored(code))


def _by_user(found, number, step, stored):
    owner = found.objects[number]
    if type(owner) is types.FunctionType:
        return _function_changed(owner, step, stored)
    if type(owner) is expand.ModuleRead:
        return False
    if owner is sys.modules:  # what a trace is the first to import is as good at a later import
        return False
    if kinds.is_a(owner, types.ModuleType):
        return step is not None and step[1:] in stored.globals | stored.attributes
    if step is not None and step[0] == "." and step[1] != ".":
        return step[1:] in stored.attributes
    return _held_by_user(found, number, stored)


def _function_changed(function, step, stored):
    if not ownership.is_user(function):
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
            return step[1:] in stored.mentioned and (kinds.is_a(owner, type) or ownership.is_user_class(type(owner)))
        if step.startswith(("global ", "cell ", "default ", "kwdefault ")):
            return type(owner) is types.FunctionType and ownership.is_user(owner)
        if type(owner) is types.FunctionType and not ownership.is_user(owner):
            return False
        at = parent
