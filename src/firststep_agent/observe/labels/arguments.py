"""What TensorFlow tells a traced function's arguments apart by, in plain values of our own: arguments that agree in it need no new trace.

TensorFlow's types for it hold the program's values, or are of the program's classes: to compare or to print them would run the program's
`__eq__` and `__repr__`. What is of the program's is known by who it is.
"""

import weakref

from firststep_agent import kinds, ownership
from firststep_agent.observe.labels import said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Kind = tuple[str, str, tuple[Any, ...], tuple[Any, ...]]  # (VALUE and so on, in words, what else tells it apart, the kinds within)

VALUE, TENSOR, PARTS, OTHER = "value", "tensor", "parts", "other"
LONGEST = 60  # characters
DEEP = 8  # kinds within kinds
MOST = 1000  # of them in one
PLAIN = kinds.numbers((bool, int, float, complex, str, bytes, type(None)))


def kind_of(constraint: "Any", deep: int = 0) -> "Kind":
    """The kind of an argument, by TensorFlow's type for it."""
    name = kinds.name(type(constraint))
    if deep == DEEP:
        return OTHER, name, (), ()
    if id(type(constraint)) in PLAIN:
        return _value(constraint)
    if kinds.is_a(constraint, (tuple, list)):
        return _parts(name, dict(enumerate(said.items(constraint) or ())), deep)
    if kinds.is_a(constraint, dict):
        return _parts(name, dict(zip(map(_key, dict.keys(constraint)), dict.values(constraint))), deep)
    if said.is_of_program(constraint):
        return _parts(name, kinds.own(constraint), deep)
    if ownership.module_owner(kinds.module(type(constraint))) != ownership.FRAMEWORK:
        return OTHER, name, (_Who(constraint),), ()
    return _frameworks(constraint, name, deep)


def _frameworks(constraint: "Any", name: str, deep: int) -> "Kind":
    if name == "Literal":
        return _value(constraint.value)
    if name == "Weakref":
        value = constraint._ref()
        return OTHER, kinds.name(type(value)), (_Who(value),), ()
    held = _within(constraint)
    if held is not None:
        return _parts(name, held, deep)
    if hasattr(constraint, "shape") and hasattr(constraint, "dtype"):
        return TENSOR, repr(constraint), (str(constraint.shape), str(getattr(constraint.dtype, "name", constraint.dtype))), ()
    return OTHER, repr(constraint), (), ()


def _within(constraint: "Any") -> "Mapping[Any, Any] | None":
    """The types in a tuple's, list's, dict's or record's type, each by its place, key or name; None of all else."""
    inner = getattr(constraint, "components_tuple", None) or getattr(constraint, "named_attributes", constraint)
    if type(getattr(inner, "mapping", None)) is dict:
        return {_key(key): one for key, one in inner.mapping.items()}
    names = getattr(inner, "attribute_names", None)
    components = getattr(inner if names is None else inner.attributes, "components", None)
    return None if type(components) is not tuple else dict(zip(range(len(components)) if names is None else names, components))


def _parts(name: str, held: "Mapping[Any, Any]", deep: int) -> "Kind":
    inner = tuple(kind_of(one, deep + 1) for one in list(held.values())[:MOST])
    return PARTS, f"{name}[{', '.join(one[1] for one in inner)}]", (name, len(held), *list(held)[:MOST]), inner


def _value(value: "Any") -> "Kind":
    """Of a Python value."""
    if id(type(value)) in PLAIN:
        return VALUE, short(repr(value)), (id(type(value)), value), ()
    named = kinds.own(value).get("_name_")  # of an enumeration's
    if type(named) is str:
        return VALUE, f"{kinds.name(type(value))}.{named}", (_Who(value),), ()
    for plain in (int, float, str, bytes):
        if kinds.is_a(value, plain):
            return VALUE, short(plain.__repr__(value)), (plain.__hash__(value),), ()
    return OTHER, kinds.name(type(value)), (_Who(value),), ()


def _key(key: "Any") -> "Any":
    return key if id(type(key)) in PLAIN else id(key)


def short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


class _Who:
    """An object, told from others by who it is, and kept alive only where it must be."""

    def __init__(self, value: "Any") -> None:
        self._value = weakref.ref(value) if kinds.may_be_weak(value) else lambda: value

    def __eq__(self, other: object) -> bool:
        mine = self._value()
        return type(other) is _Who and mine is not None and mine is other._value()

    __hash__ = None  # type: ignore[assignment]


def differences(earlier: "Kind", later: "Kind") -> "list[str]":
    """In words, what differs between two."""
    if earlier == later:
        return []
    (what, words, facets, inner), (its, others, its_facets, its_inner) = earlier, later
    if what == its == PARTS and len(inner) == len(its_inner):
        found = [each for one, two in zip(inner, its_inner) for each in differences(one, two)]
        return found or [_change(words, others)]
    if what == its == TENSOR:
        found = [_change(one, two, f"{name} ") for name, one, two in zip(("shape", "dtype"), facets, its_facets) if one != two]
        return found or [_change(words, others)]
    return [_change(words, others, "Python value " if what == its == VALUE else "")]


def _change(before: str, after: str, what: str = "") -> str:
    return f"another {short(after)}" if before == after and not what else f"{what}{short(before)} -> {short(after)}"
