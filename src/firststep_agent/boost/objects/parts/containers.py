"""Lists, dictionaries, sets and what else only holds other values, taken apart."""

import sys
import types
import weakref

from firststep_agent import kinds, ownership
from firststep_agent.boost.objects.leaves import LEAVES, word
from firststep_agent.boost.objects.notes import is_as_made
from firststep_agent.boost.objects.parts.opaque import opaque
from firststep_agent.boost.objects.special import HELD, NO_FILTER

TYPE_CHECKING = False
if TYPE_CHECKING:
    import collections
    from collections.abc import Collection, Iterable
    from typing import Any

    from firststep_agent.boost.objects.reading import Reading
    from firststep_agent.boost.objects.special import Parts


def of_sequence(value: "Collection[Any]", reading: "Reading") -> "Parts":
    return type(value).__name__, numbered(value), NO_FILTER


def of_deque(value: "collections.deque[Any]", reading: "Reading") -> "Parts":
    return f"deque {value.maxlen}", numbered(value), NO_FILTER


_STEPS = tuple(f"#{i}" for i in range(512))


def numbered(items: "Collection[Any]") -> "list[tuple[str, Any]]":
    if len(items) <= len(_STEPS):
        return list(zip(_STEPS, items))
    return [(f"#{i}", v) for i, v in enumerate(items)]


def of_structure(value: "Any", reading: "Reading") -> "Parts":
    """`sys.version_info`, `os.uname()` and the like: a tuple with names, some of them of nothing in the tuple."""
    items, others = value.__reduce__()[1]
    children = [*numbered(items), *(("." + name, other) for name, other in others.items())]
    return kinds.qualified(type(value)), children, NO_FILTER


def of_dict(value: "Any", reading: "Reading") -> "Parts":
    return pairs(type(value).__name__, value.items() if value is not sys.modules else entries(value))


def entries(mapping: "Any") -> "list[tuple[Any, Any]]":
    """[(key, value)] of a dictionary. Of `sys.modules` less the agent's own, which come when the agent needs them, from any thread."""
    if mapping is not sys.modules:
        return list(mapping.items())
    return [(name, module) for name, module in list(mapping.items()) if not (type(name) is str and name.startswith("firststep_agent"))]


def pairs(name: str, items: "Iterable[tuple[Any, Any]]") -> "Parts":
    children = []
    words = []
    for i, (k, v) in enumerate(items):
        told = word(k)
        if told is None:
            children.append((f"&{i}", k))
        else:
            words.append(told)
        children.append((f"@{i}", v))
    return f"{name} {words}", children, NO_FILTER


def head_of_keys(keys: "Iterable[Any]") -> str:
    """What the head of a dictionary of these keys, each of them a leaf, ends with."""
    return f" {[word(key) for key in keys]}"


def of_ordered(value: "dict[Any, Any]", reading: "Reading") -> "Parts":
    """It looks each key up as it goes through them, which asks a key of the program's for its hash."""
    return of_dict(value, reading) if all(id(type(key)) in LEAVES for key in dict.keys(value)) else opaque(value, reading)


def of_proxy(value: "types.MappingProxyType[Any, Any]", reading: "Reading") -> "Parts":
    """It asks the mapping behind it, which may be of a class of the program's."""
    import gc

    return of_dict(value, reading) if all(type(each) is dict for each in gc.get_referents(value)) else opaque(value, reading)


def of_defaultdict(value: "Any", reading: "Reading") -> "Parts":
    head, children, kind = of_dict(value, reading)
    return head, [("..default_factory", value.default_factory), *children], kind


def of_wrapt(value: "Any", reading: "Reading") -> "Parts":
    notes = [("." + name, note) for name, note in kinds.own(value).items() if not is_as_made(name, note)] if reading.unread else []
    return type(value).__name__, [("..__wrapped__", value.__wrapped__), *notes], NO_FILTER


def of_set(value: "Iterable[Any]", reading: "Reading") -> "Parts":
    return members(type(value).__name__, value)


def members(name: str, values: "Iterable[Any]") -> "Parts":
    words, others = [], []
    for v in values:
        told = word(v)
        if told is None:
            others.append(v)
        else:
            words.append(told)
    if len(others) > 1:
        others.sort(key=_stable)
    return f"{name} {sorted(words)}", numbered(others), NO_FILTER


def _stable(value: "Any") -> "tuple[str, str]":
    if kinds.is_a(value, type):
        return "type", kinds.qualname(value)
    if type(value) is types.FunctionType:
        return "function", value.__qualname__
    of_framework = ownership.module_owner(kinds.module(type(value))) == ownership.FRAMEWORK
    named = getattr(value, "name", "") if of_framework else kinds.own(value).get("name")
    if type(named) is not str or not named:  # a node between two layers has no name; they have
        named = repr(sorted((place, each) for place, held in kinds.own(value).items() if (each := _named(held))))
    return kinds.qualname(type(value)), named


def _named(value: "Any") -> "str | None":
    """The name that stands in an object, None where it has none."""
    own = kinds.own(value)
    return next((own[place] for place in ("name", "_name") if type(own.get(place)) is str), None)


def of_slice(value: "slice", reading: "Reading") -> "Parts":
    return "slice", [("..start", value.start), ("..stop", value.stop), ("..step", value.step)], NO_FILTER


def of_weak(value: "Any", reading: "Reading") -> "Parts":
    return "weakref", [("deref", referred(value))], NO_FILTER


def referred(value: "Any") -> "Any":
    """What a weak reference refers to, or None: not by a `__call__` of the program's."""
    return value() if type(value) is weakref.WeakMethod else weakref.ReferenceType.__call__(value)


def of_namespace(value: "types.SimpleNamespace", reading: "Reading") -> "Parts":
    return "namespace", [("." + name, child) for name, child in vars(value).items()], HELD
