"""Places that a trace can set: an attribute, a global, a variable of a closure, the contents of a list or of a dictionary."""

import collections
import types

from firststep_agent import kinds
from firststep_agent.boost.objects.expand import expand
from firststep_agent.boost.objects.reading import ModuleRead

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from firststep_agent.boost.objects.reading import Reading

CONTENTS = ("items", "entries")  # steps that stand for all that a list or a dictionary holds


def step_of(owner: "Any", step: "str | None") -> "str | None":
    """The step of the place at which `owner` is another by this `step` of a walk; None where nothing can be set."""
    if type(owner) is ModuleRead:
        return None
    if step is None or step[0] in "#@&":
        return _contents(owner)
    if type(owner) is types.FunctionType and step.startswith(("global ", "cell ")):
        return step
    is_attribute = step[0] == "." and step[1] != "."
    return step if is_attribute and not _is_slot(type(owner), step[1:]) else None


def _contents(owner: "Any") -> "str | None":
    if kinds.is_a(owner, list):
        return "items"
    return "entries" if kinds.is_a(owner, dict) and not kinds.is_a(owner, collections.OrderedDict) else None


def _is_slot(cls: type, name: str) -> bool:
    return any(type(kinds.namespace(base).get(name)) is types.MemberDescriptorType for base in kinds.mro(cls))


def place(owner: "Any", step: str) -> "_Attribute | _Global | _Cell | _Items | _Entries":
    """held(): [what is there now], or []. set(value), clear()."""
    if step in CONTENTS:
        return _Items(owner) if step == "items" else _Entries(owner)
    if step[0] == ".":
        return _OfClass(owner, step[1:]) if kinds.is_a(owner, type) else _Attribute(owner, step[1:])
    if step.startswith("global "):
        return _Global(owner.__globals__, step[7:])
    return _Cell(owner.__closure__[owner.__code__.co_freevars.index(step[5:])])


def without(left_out: "frozenset[tuple[int, str]]",
            reading: "Reading") -> "Callable[[Any], tuple[str, Sequence[tuple[str, Any]], int | None]]":
    """(head, children, kind) of a value, for a walk, less what is at these places: {(id of the owner, step)}."""
    owners = {number for number, _ in left_out}

    def parts(value):
        head, children, kind = expand(value, reading)
        if id(value) not in owners:
            return head, children, kind
        if not left_out.isdisjoint((id(value), step) for step in CONTENTS):
            head = "filled"  # else it says the keys of a dictionary
        return head, [(step, child) for step, child in children if (id(value), step_of(value, step)) not in left_out], kind

    return parts


def within(held: "dict[str, Any]", name: str) -> "list[Any]":
    """[What is there under this name], or []."""
    return [held[name]] if name in held else []


class _Attribute:
    """Of an object, past what its class makes of it: a descriptor that keeps its value there (`obj.__dict__[name] = value`) has done
    already what it does, and what it said is said again."""

    def __init__(self, owner: "Any", name: str) -> None:
        self._owner, self._name = owner, name

    def held(self) -> "list[Any]":
        return within(kinds.own(self._owner), self._name)

    def set(self, value: "Any") -> None:
        kinds.own(self._owner)[self._name] = value

    def clear(self) -> None:
        del kinds.own(self._owner)[self._name]


class _OfClass(_Attribute):
    """Of a class, whose own attributes only `type` may set."""

    def set(self, value: "Any") -> None:
        type.__setattr__(self._owner, self._name, value)

    def clear(self) -> None:
        type.__delattr__(self._owner, self._name)


class _Global:
    """Of a module, or of whatever code runs in."""

    def __init__(self, scope: "dict[str, Any]", name: str) -> None:
        self._scope, self._name = scope, name

    def held(self) -> "list[Any]":
        return within(self._scope, self._name)

    def set(self, value: "Any") -> None:
        self._scope[self._name] = value

    def clear(self) -> None:
        del self._scope[self._name]


class _Cell:
    """Of a function that is inside another."""

    def __init__(self, cell: "types.CellType") -> None:
        self._cell = cell

    def held(self) -> "list[Any]":
        try:
            return [self._cell.cell_contents]
        except ValueError:  # not yet assigned
            return []

    def set(self, value: "Any") -> None:
        self._cell.cell_contents = value

    def clear(self) -> None:
        del self._cell.cell_contents


def pairs(container: "Any") -> "list[tuple[Any, Any]]":
    """[(key or None, value)] of a list or a dictionary, past what its class makes of it."""
    if kinds.is_a(container, list):
        return [(None, item) for item in list.__iter__(container)]
    return list(dict.items(container))


class _Contents:
    """All that a list or a dictionary holds, as `pairs` gives it. There is always something held."""

    def __init__(self, owner: "Any") -> None:
        self._owner = owner

    def held(self) -> "list[Any]":
        return [pairs(self._owner)]


class _Items(_Contents):
    """Of a list."""

    def set(self, then: "list[tuple[Any, Any]]") -> None:
        list.__setitem__(self._owner, slice(None), [item for _, item in then])


class _Entries(_Contents):
    """Of a dictionary."""

    def set(self, then: "list[tuple[Any, Any]]") -> None:
        wanted = dict(then)
        for key in [key for key in dict.keys(self._owner) if key not in wanted]:
            dict.__delitem__(self._owner, key)
        if list(wanted)[:dict.__len__(self._owner)] != list(dict.keys(self._owner)):
            dict.clear(self._owner)  # one was taken out and put in again
        dict.update(self._owner, then)
