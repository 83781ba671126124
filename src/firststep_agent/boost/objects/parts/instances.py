"""Classes, and objects whose state is their attributes, taken apart."""

import _abc
import types

from firststep_agent import kinds, ownership
from firststep_agent.boost.objects import notes
from firststep_agent.boost.objects.attributes import attributes
from firststep_agent.boost.objects.leaves import LEAVES
from firststep_agent.boost.objects.parts import naming, opaque
from firststep_agent.boost.objects.parts.containers import members, numbered, pairs
from firststep_agent.boost.objects.special import ALONE, BELOW, HELD, LIBRARY, NO_FILTER, OF_NO_FRAMEWORK, OWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from firststep_agent.boost.objects.reading import Reading
    from firststep_agent.boost.objects.special import Parts

_CLASS_NOISE = frozenset(
    """__dict__ __weakref__ __doc__ __module__ __qualname__ __annotations__ __annotate__ __annotate_func__ __annotations_cache__
    __abstractmethods__ _abc_impl __slots__ __firstlineno__ __static_attributes__ __parameters__ __orig_bases__ __match_args__
    __dataclass_params__ __conditional_annotations__ __type_params__ __slotnames__ __pyx_vtable__""".split()  # the last is Cython's
)


def of_class(cls: type, reading: "Reading") -> "Parts":
    if not ownership.is_user_class(cls):
        return library_class(cls), registered(cls), NO_FILTER
    children = [(f"base {i}", base) for i, base in enumerate(kinds.bases(cls))]
    if type(cls) is not type:
        children.append(("metaclass", type(cls)))
    for name, value in kinds.namespace(cls).items():
        if name not in _CLASS_NOISE and naming.is_read(name, reading):
            children.append(("." + name, value))
    children += registered(cls)
    children += naming.of(kinds.name(cls), kinds.qualname(cls), kinds.namespace(cls).get("__annotations__"))
    children += naming.of_class(kinds.namespace(cls), reading)
    return f"class {kinds.qualified(cls)}", children, BELOW if whose(cls) == BELOW else HELD


def registered(cls: type) -> "list[tuple[str, Any]]":
    """What the program has registered as of an abstract class, by name: `isinstance` goes by it."""
    if "_abc_impl" not in kinds.namespace(cls):
        return []
    found = [each for reference in _abc._get_dump(cls)[0] if (each := reference()) is not None and ownership.is_user_class(each)]
    return [("..registered", ", ".join(sorted(map(kinds.qualified, found))))] if found else []


def library_class(cls: type) -> str:
    return f"lib class {kinds.qualified(cls)}"


def _name_in(pair: "tuple[Any, Any]") -> str:
    return pair[0] if type(pair[0]) is str else ""


def of_instance(value: "Any", reading: "Reading") -> "Parts":
    cls = type(value)
    user = ownership.is_user_class(cls)
    kind = whose(cls)
    is_for_the_walk = reading.names is None or (reading.names.presence and kind in OF_NO_FRAMEWORK)
    keep = None if is_for_the_walk else reading.names.by_kind[kind]
    # With no names given everything is taken, to be filtered later: what is skipped is skipped then, too.
    skipped = notes.unread(cls, reading.names is None or reading.names.seeds)
    held = attributes(value, cls)
    if not opaque.are_text([name for name, _ in held]):
        return opaque.without_text(f"a `{kinds.qualname(cls)}`")
    # Keras 2 takes out what is there before it sets it, so that it moves behind all others. Goes by the class alone, as the order counts.
    if (reading.unread or not user) and notes.unread(cls, seeds=False):
        held = sorted(held, key=_name_in)
    if reading.unread:
        skipped &= notes.UNSEEN
        if notes.is_trackable(cls):
            held = [(name, child) for name, child in held if not notes.is_as_made(name, child)]
    children, retold = [], notes.retold(cls)
    if user:
        head = "of"
        children.append(("class", cls))
    else:
        head = "of " + library_class(cls)
    for name, child in held:
        if (keep is None or name in keep or name[:2] == "__") and name not in skipped:
            if name in retold:
                child = retold[name](child)
            children.append(("." + name, child))
    if kinds.is_a(value, _CONTAINERS):
        more, contents, _ = _as_container(value, reading)
        head = f"{head} {more}"
        children.extend(contents)
    return head, children, kind if keep is None else NO_FILTER  # filtered here


@kinds.once
def whose(cls: type) -> int:
    """Of whose objects the attributes are: BELOW where a class that is neither the program's nor empty is among what it is."""
    is_users = ownership.is_user_class(cls)
    if not is_users and kinds.module(cls) not in _HOLDERS:
        return LIBRARY
    if not all(ownership.is_user_class(base) or kinds.module(base) in _EMPTY for base in kinds.mro(cls)):
        return BELOW
    return ALONE if is_users and not any(name in kinds.namespace(base) for base in kinds.mro(cls) for name in naming.FIELDS) else HELD


_HOLDERS = ("argparse",)  # of a library, for attributes that a program gives to their objects
_EMPTY = ("builtins", "abc", "typing", *_HOLDERS)  # whose classes read none of those
_CONTAINERS = (list, tuple, dict, set, frozenset, int, float, str, bytes, complex)
_NUMBERS_OF_CONTAINERS = kinds.numbers(_CONTAINERS)


def _as_container(value: "Any", reading: "Reading") -> "Parts":
    base = next(base for base in _CONTAINERS if kinds.is_a(value, base))
    if base is dict:
        return pairs("dict", dict.items(value))
    if base is set or base is frozenset:
        return members("set", base.__iter__(value))
    if base is list or base is tuple:
        return "items", numbered(list(base.__iter__(value))), NO_FILTER
    return LEAVES[id(base)](_PLAINLY[base](value)), (), NO_FILTER


def _bytes(value: bytes) -> bytes:
    return bytes.__getitem__(value, slice(None))


# What is in a number or a text, as one of Python's own class: none of these calls a method of a class below it.
_PLAINLY: "dict[type, Callable[[Any], Any]]" = {int: int.__int__, float: float.__float__, complex: complex.__pos__, str: str.__str__,
                                                     bytes: _bytes}


def of_enum(value: "Any", reading: "Reading") -> "Parts":
    put_on = [("." + name, held) for name, held in attributes(value, type(value)) if name not in _OF_EVERY_MEMBER]
    of_every = kinds.own(value)
    return f"enum {of_every.get('_name_')}", [("class", type(value)), ("..value", of_every.get("_value_")), *put_on], NO_FILTER


_OF_EVERY_MEMBER = frozenset(("_name_", "_value_", "__objclass__", "_sort_order_"))


def with_own(handler: "Callable[[Any, Reading], Parts]") -> "Callable[[Any, Reading], Parts]":
    """For a class of the program's below one that is known by name: its code and what it keeps count with what the known one tells."""

    def of(value, reading):
        head, children, _ = handler(value, reading)
        told = {id(child) for _, child in children}
        left_out = notes.moving(type(value))
        put_on = [("." + name, child) for name, child in attributes(value, type(value)) if id(child) not in told and name not in left_out]
        return head, [("class", type(value)), *children, *put_on], OWN

    return of


def is_plain(kind: type) -> bool:
    """True where an instance's state is its attributes (and the items of a built-in container): nothing kept in C."""
    for base in kinds.mro(kind):
        if base is object or id(base) in _NUMBERS_OF_CONTAINERS:
            continue
        if not kinds.flags(base) & kinds.HEAP_TYPE:
            return False
        if "__module__" not in kinds.namespace(base) or made_in_c(base):
            return False
    return True


_OF_C_CLASSES = (types.MethodDescriptorType, types.ClassMethodDescriptorType, types.WrapperDescriptorType, types.GetSetDescriptorType)


def is_of_c(cls: type) -> bool:
    """True for a class that no class statement has made, Python's own and those of extension modules."""
    return not kinds.flags(cls) & kinds.HEAP_TYPE or made_in_c(cls)


def made_in_c(base: type) -> bool:
    """True for a class of an extension module: its instances keep state where no attribute shows it.

    A class statement may take a descriptor from another class: `__setattr__ = dict.__setitem__`.
    """
    for name, value in kinds.namespace(base).items():
        if kinds.is_just(value, *_OF_C_CLASSES) and value.__objclass__ is base and name not in ("__dict__", "__weakref__"):
            return True
        if name == "__new__" and type(value) is types.BuiltinFunctionType and value.__self__ is base:
            return True
    return ("__dict__" not in kinds.namespace(base) and "__slots__" not in kinds.namespace(base)
            and not any("__dict__" in kinds.namespace(each) for each in kinds.mro(base)[1:]))
