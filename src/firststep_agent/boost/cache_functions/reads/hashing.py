"""The order of sets: with a hash seed drawn anew in each process, a trace that goes through a set of strings may be another each time,
and whatever the seed, one that goes through a set of objects that are told apart by their addresses, or asks for those.

Two starts may draw the same order and agree by chance, so that confirming cannot find it: such a function is refused by its code.
"""

import builtins
import collections
import dis
import enum
import sys
import types

from firststep_agent import kinds, ownership
from firststep_agent.as_found import open
from firststep_agent.boost.cache_functions.reads import reached, views
from firststep_agent.boost.objects import bytecode, words
from firststep_agent.boost.objects.reading import ModuleRead
from firststep_agent.boost.objects.refusal import Refused
from firststep_agent.boost.traces import once
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from firststep_agent.boost.objects.walk import Walk

_OF_ANYTHING = frozenset(("set", "frozenset"))
_MAKERS = (set, frozenset, hash)
_ADDRESS, _HASH = "id", "__hash__"
_NAMES = frozenset(each.__name__ for each in _MAKERS)
_LOOK_UPS = ("LOAD_GLOBAL", "LOAD_NAME")
_MAKING = ("BUILD_SET", "SET_ADD", "SET_UPDATE")
_WHOLE = kinds.numbers((int, bool))
_BY_VALUE = kinds.numbers((int, bool, float, complex, str, bytes))
_CONTAINERS = kinds.numbers((list, tuple, dict))


def check(user_codes: "Iterable[types.CodeType]", found: "Walk") -> None:
    """Raises Refused where code of the program's that ran makes sets or hashes, or a set of the program's is reached."""
    seeded = _is_seeded()
    ordered = "a list or a dictionary has one order" + (", and so have sets of strings where PYTHONHASHSEED is set" if not seeded else "")
    makes_sets = _makes_sets_of_anything if seeded else _makes_sets
    converted = reached.converted()
    by_attribute = any(map(_names_builtins, found.objects))  # `builtins.set`; else `x.set` is a method of its own
    for code in user_codes:
        if ownership.is_installed(code.co_filename):
            continue
        if _HASH in code.co_names or bytecode.holds_text(code, _HASH) or _ADDRESS in _named(code, by_attribute):
            raise Refused(f"`{words.function_name(code)}` asks for an address in memory (`id`) or a hash while it is traced, which is "
                          "another in each start: a name or a number of its own tells an object as well")
        if makes_sets(code, converted.get(code.co_filename, code), by_attribute):
            raise Refused(f"`{words.function_name(code)}` makes a set or a hash while it is traced, and the order of a set may be another "
                          f"in each start: {ordered}")
    for number, value in enumerate(found.objects):
        if any(value is each for each in _MAKERS) and _is_another_name(found, number) and _is_users(found, number):
            raise Refused(f"it may make a set or a hash by another name, and the order of a set may be another in each start: {ordered}")
        if any(each is id or each is hash for each in _named_by(value)) and _is_users(found, number):
            raise Refused("it has another name for `id` or `hash`, which are others in each start: a name or a number of its own tells an "
                          "object as well")
        if _has_no_order(value, seeded) and _is_users(found, number):
            raise Refused(f"it may go through a set, whose order may be another in each start: {ordered}")


def _names_builtins(value: "Any") -> bool:
    """Whether it is a function that knows the module of the built-in functions by a name."""
    return any(each is builtins for each in _named_by(value))


def _named_by(value: "Any") -> "list[Any]":
    """What a function's names stand for, as far as it is known."""
    if type(value) is not types.FunctionType:
        return []
    named = [value.__globals__.get(name) for code in once.nested(value.__code__) for name in code.co_names]
    for cell in value.__closure__ or ():
        try:
            named.append(cell.cell_contents)
        except ValueError:  # not set yet
            continue
    return named


def _is_another_name(found: "Walk", number: int) -> bool:
    """Whether a built-in function is reached otherwise than by its own name, or as what fills in for a dictionary's missing keys."""
    above, step = found.parents[number]
    return not step.startswith("builtin ") and not (above >= 0 and issubclass(type(found.objects[above]), collections.defaultdict))


def _has_no_order(value: "Any", seeded: bool) -> bool:
    """Whether it is a set whose order may be another in another process."""
    base = next((base for base in (set, frozenset) if issubclass(type(value), base)), None)
    if base is None or base.__len__(value) < 2:
        return False
    return not all(_has_one_hash(each, seeded) for each in base.__iter__(value))


def _has_one_hash(value: "Any", seeded: bool) -> bool:
    """Whether it has the same hash in all processes. seeded: whether text has."""
    kind = type(value)
    if issubclass(kind, tuple) and not ownership.is_user_class(kind):
        return all(_has_one_hash(each, seeded) for each in tuple.__iter__(value))
    if not seeded:
        return id(kind) in _WHOLE
    return id(kind) in _BY_VALUE or issubclass(kind, enum.Enum)


def _is_seeded() -> bool:
    """Whether the process began with a hash seed of the user's: what the program writes into `os.environ` comes too late."""
    if not sys.flags.hash_randomization:
        return True
    if sys.flags.ignore_environment:
        return False
    try:
        with open("/proc/self/environ", "rb") as file:
            began_with = file.read()
    except OSError as error:
        if is_theirs(error):
            raise
        return False
    return any(name == b"PYTHONHASHSEED" and value.isdigit()
               for name, _, value in (each.partition(b"=") for each in began_with.split(b"\0")))


def _named(code: "types.CodeType", by_attribute: bool) -> "frozenset[str]":
    """The names of built-in functions that code may look up."""
    if by_attribute:
        return frozenset(code.co_names)
    return frozenset(one.argval for one in dis.get_instructions(code) if one.opname in _LOOK_UPS)


def _makes_sets(code: "types.CodeType", original: "types.CodeType", by_attribute: bool) -> bool:
    """original: what AutoGraph made the code from."""
    makes = not _NAMES.isdisjoint(_named(code, by_attribute)) or any(one.opname in _MAKING for one in dis.get_instructions(code))
    return makes or not ownership.is_installed(original.co_filename) and views.are_joined(original)


def _makes_sets_of_anything(code: "types.CodeType", _: "types.CodeType", by_attribute: bool) -> bool:
    """Whether it makes a set that may hold more than text and numbers that stand in the code."""
    if not _OF_ANYTHING.isdisjoint(_named(code, by_attribute)):
        return True
    before: list[str] = []
    for one in dis.get_instructions(code):
        taken = one.arg if one.opname == "BUILD_SET" else one.opname in _MAKING
        if taken and any(each != "LOAD_CONST" for each in before[-taken:]):
            return True
        before.append(one.opname)
    return False


def _is_users(found: "Walk", number: int) -> bool:
    """Whether the program's own code or objects hold it, or name it in a library's module: at once or through containers, other objects of
    the standard library, or as what is public of a framework's."""
    while True:
        number, step = found.parents[number]
        if number < 0:
            return True
        owner = found.objects[number]
        kind = type(owner)
        if kind is types.FunctionType:
            return ownership.is_user(owner) and not ownership.is_installed(owner.__code__.co_filename)
        if issubclass(kind, type):
            return ownership.is_programs(kinds.module(owner)) and not step.startswith(".__")
        if kind is not ModuleRead and id(kind) not in _CONTAINERS and not _hands_on(kind, step):
            return ownership.is_programs(kinds.module(kind))


def _hands_on(kind: type, step: str) -> bool:
    owner = ownership.module_owner(kinds.module(kind))
    return owner == ownership.STDLIB or owner == ownership.FRAMEWORK and step[:2] != "._" and not ownership.is_ours_class(kind)
