"""What hangs on an object itself: its `__dict__`, its slots, and what a class made in C keeps without a name for it."""

import types

from firststep_agent import kinds, ownership

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any


def attributes(value: "Any", cls: type) -> "Iterable[tuple[str, Any]]":
    """(name, value) of an object's own attributes, those in slots as well."""
    slots = _slots(cls)
    held = _dictionary(cls)(value)
    return held.items() if not slots else [*held.items(), *_slotted(value, slots)]


def own(value: "Any") -> "dict[str, Any]":
    """`kinds.own` of an object that is walked: what its class makes of that name is worked out once."""
    return _dictionary(type(value))(value)


def held(value: "Any", name: str) -> "Any":
    """An attribute, or None: of an object of a class of the program's one that hangs on itself, so that the class is not asked."""
    return kinds.own(value).get(name) if ownership.is_user_class(type(value)) else getattr(value, name, None)


_dictionary = kinds.once(kinds.dictionary)


def _slotted(value: "Any", slots: "Iterable[tuple[str, types.MemberDescriptorType]]") -> "Iterator[tuple[str, Any]]":
    for slot, descriptor in slots:
        try:
            yield slot, descriptor.__get__(value)
        except AttributeError:
            pass


@kinds.once
def _slots(cls: type) -> "tuple[tuple[str, types.MemberDescriptorType], ...]":
    return tuple((name, descriptor) for base in kinds.mro(cls) if base is not type and base is not types.FunctionType
                 for name, descriptor in kinds.namespace(base).items() if type(descriptor) is types.MemberDescriptorType)
