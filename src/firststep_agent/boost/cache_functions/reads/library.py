"""The frameworks' own code and settings: unchanged files, unpatched functions, and the module-level values their code reads.

What ran is checked function by function: a patch shows as another code object at the same place, or as a user's function.
Module-level numbers, strings, lists and registries that this code names count with their values as they were before the trace.
"""

import sys
import types
import zlib

from firststep_agent import kinds, ownership
from firststep_agent.as_found import os
from firststep_agent.boost.cache_functions.reads import per_thread
from firststep_agent.boost.objects import bytecode, registries
from firststep_agent.boost.objects.attributes import held
from firststep_agent.boost.objects.leaves import LEAVES, word
from firststep_agent.boost.objects.reading import Reading
from firststep_agent.boost.objects.walk import walk
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from firststep_agent.boost.objects.walk import Walk

_SCALARS = kinds.numbers((bool, int, float, str, type(None), complex, bytes))
_CONTAINERS = kinds.numbers((list, set, tuple, frozenset))  # dictionaries at module level are caches, or registries, which are read apart
_LARGE = 256  # items; larger tables at module level are constants or caches
_NO_ADDRESS = 1 << 12  # no object lies below that: Linux maps no first page
_TOPS = ownership.FRAMEWORKS - {__name__.partition(".")[0]}

# What a trace was seen to change is a counter, a cache or a note that something was done once: no setting. Kept for the
# whole process, since after a replay it stands where it stood.
_moving: "set[tuple[str, str]]" = set()


class Before:
    """Module-level values and registries of the frameworks as they are now; containers as shallow copies."""

    def __init__(self) -> None:
        self.registries = registries.tokens()
        self._values = {}
        self._per_thread: dict[tuple[str, str], dict[str, str | None]] = {}
        for name, module in list(sys.modules.items()):
            if name.partition(".")[0] in _TOPS and module is not None:
                kept = {}
                for key, value in list(vars(module).items()):
                    kind = type(value)
                    if id(kind) in _SCALARS:
                        kept[key] = value
                    elif id(kind) in _CONTAINERS and len(value) <= _LARGE:
                        kept[key] = kind(value)
                    elif per_thread.is_one(key, value):
                        self._per_thread[name, key] = per_thread.tokens(value, _token)
                self._values[name] = kept

    def token(self, module: "types.ModuleType", name: str) -> "str | None":
        """The token of the value before the trace; None where it is no setting."""
        place, token = (module.__name__, name), _token(vars(module)[name])
        if token is None:
            return None
        kept = self._values.get(module.__name__, {})
        return _unless_it_moves(place, _token(kept[name]) if name in kept else token, token)

    def per_thread(self, module: "types.ModuleType", name: str, names: "tuple[str, ...]") -> "dict[str, str]":
        """{a place in it: token before the trace} of a module's `threading.local`, without what is no setting, or what code with these
        names does not read."""
        found = {}
        now = per_thread.tokens(vars(module)[name], _token)
        earlier = self._per_thread.get((module.__name__, name), {})
        for attribute in now.keys() | earlier.keys():
            if attribute in names or "getattr" in names:
                place = f"{name}.{attribute}"
                before, after = (tokens.get(attribute, per_thread.NOTHING) for tokens in (earlier, now))
                token = _unless_it_moves((module.__name__, place), before, after)
                if token is not None:
                    found[place] = token
        return found


def _unless_it_moves(place: "tuple[str, str]", before: "str | None", after: "str | None") -> "str | None":
    """The token before the trace; None of what a trace was seen to change."""
    if before != after:
        _moving.add(place)
    return None if place in _moving else before


_ABSENT = object()


def record(codes: "Iterable[types.CodeType]", before: "Before", found: "Walk") -> "dict[str, Any]":
    """What `check` compares: files, functions and module-level values of the library code among `codes`, classes in the walk `found`."""
    modules = _by_file()
    files: dict[str, str] = {}
    functions: dict[str, dict[str, str]] = {}
    names: dict[str, dict[str, str | None]] = {}
    for code in codes:
        name, module = modules.get(code.co_filename, ("", None))
        if module is None or ownership.owner(code.co_filename) == ownership.USER or ownership.is_ours(code.co_filename):
            continue
        place = _outermost(code, module)
        if place is not None:
            functions.setdefault(name, {})[place] = _function_at(module, place)
        if ownership.owner(code.co_filename) == ownership.FRAMEWORK:
            files[name] = _stat(name, module)
            _names_read(code, module, names, before)
    return {
        "files": files,
        "functions": functions,
        "values": {module: {n: t for n, t in read.items() if t is not None} for module, read in names.items()},
        "classes": {f"{kinds.module(c)}:{kinds.qualname(c)}": _methods(c) for c in _library_classes(found)},
        "registries": before.registries,
    }


def check(recorded: "dict[str, Any]") -> "str | None":
    """None where the libraries are as recorded, else what differs."""
    return (
        _check_files(recorded["files"])
        or _check_functions(recorded["functions"])
        or _check_values(recorded["values"])
        or _check_classes(recorded["classes"])
        or registries.check(recorded["registries"])
    )


# ------------------------------------------------------------------ files


def _by_file() -> "dict[str, tuple[str, types.ModuleType]]":
    """{file: (the name that its module is found by, the module)}: before Python 3.11 `_collections_abc` says that it is another."""
    found: dict[str, tuple[str, types.ModuleType]] = {}
    for name, module in list(sys.modules.items()):
        filename = kinds.file_of(module)
        if filename is not None:
            found.setdefault(filename, (name, module))
    return found


_stats: "dict[str, str]" = {}


def _stat(name: str, module: "Any") -> str:
    # Once per process: the code that is in memory was read when the module was imported.
    found = _stats.get(name)
    if found is None:
        try:
            stat = os.stat(kinds.file_of(module) or "")
            found = f"{stat.st_size}:{stat.st_mtime_ns}"
        except OSError as error:
            if is_theirs(error):
                raise
            found = "no file"
        _stats[name] = found
    return found


def _check_files(files: "dict[str, str]") -> "str | None":
    for name, stat in files.items():
        module = sys.modules.get(name)
        if module is not None and _stat(name, module) != stat:
            return f"the source file of `{name}` was changed"
    return None


# ------------------------------------------------------------------ functions


def _outermost(code: "types.CodeType", module: "types.ModuleType") -> "str | None":
    """The qualified name of the module-level function or method that the code belongs to; None where there is none."""
    qualified = getattr(code, "co_qualname", None) or _index(module).get(code)
    if qualified is None:
        return None
    place = qualified.partition(".<locals>")[0]
    return None if "<" in place else place


_indices: "dict[str, dict[types.CodeType, str]]" = {}


def _index(module: "types.ModuleType") -> "dict[types.CodeType, str]":
    """Code object -> qualified name, for interpreters whose code objects do not know theirs."""
    found = _indices.get(module.__name__)
    if found is None:
        found = _indices[module.__name__] = {}
        classes = [v for v in vars(module).values() if kinds.is_a(v, type) and kinds.module(v) == module.__name__]
        holders = [vars(module), *map(kinds.namespace, classes)]
        for holder in holders:
            for value in holder.values():
                function = kinds.plain_function(value)
                if function is not None:
                    for each in bytecode.nested(function.__code__):
                        found[each] = function.__qualname__
    return found


def _held(value: "Any") -> "Mapping[str, Any]":
    """What a module or a class holds by name; nothing of anything else."""
    return kinds.namespace(value) if kinds.is_a(value, type) else kinds.own(value) if kinds.is_a(value, types.ModuleType) else {}


def _function_at(module: "Any", place: str) -> str:
    """A token for what stands at a qualified name now."""
    value = module
    for name in place.split("."):
        value = _held(value).get(name)
        if value is None:
            return "absent"
    return _function_token(value)


# firststep's own hooks call what they wrap, and AutoGraph puts a wrapper into a decorated function when it first meets it.
_CONVERSION = "tensorflow/python/autograph/impl/api.py"


def _function_token(value: "Any") -> str:
    words: list[str] = []
    for part in (value.fget, value.fset) if kinds.is_a(value, property) else (value,):
        seen = 0
        while part is not None and seen < 12:
            part = kinds.bound(part)
            code = held(part, "__code__")
            if type(code) is not types.CodeType:
                words.append(kinds.qualname(type(part)))
                break
            words += _words(part, code)
            part = getattr(part, "__wrapped__", None)
            seen += 1
    return f"{zlib.crc32(' '.join(words).encode('utf-8', 'replace')):x}"


def _words(function: "Any", code: "types.CodeType") -> "Iterable[str]":
    owner = _owners.get(code.co_filename)
    if owner is None:
        is_left_out = ownership.is_ours(code.co_filename) or code.co_filename.endswith(_CONVERSION)
        owner = _owners[code.co_filename] = _LEFT_OUT if is_left_out else ownership.owner(code.co_filename)
    if owner == _LEFT_OUT:
        return ()
    plain = bytecode.mark(code), *_defaults(function)
    return (*plain, _below(function)) if owner == ownership.USER else plain


_LEFT_OUT = ""
_owners: "dict[str, str]" = {}  # file -> whose it is


def _defaults(function: "Any") -> "list[str]":
    """Those of its defaults that are plain values: a program may set others."""
    defaults = getattr(function, "__defaults__", None) or (), getattr(function, "__kwdefaults__", None) or {}
    return [word(value) or kinds.qualname(type(value)) for value in (*defaults[0], *defaults[1].values())]


def _below(value: "Any") -> str:
    """Digest of a user's function that stands in a library's place, with all it reaches."""
    return walk([("patch", value)], Reading()).digest()


def _check_functions(functions: "dict[str, dict[str, str]]") -> "str | None":
    for name, places in functions.items():
        module = sys.modules.get(name)
        if module is None:
            continue  # imported while it was traced; it is as its package's version says
        for place, token in places.items():
            if _function_at(module, place) != token:
                return f"`{name}.{place}` was replaced"
    return None


# ------------------------------------------------------------------ module-level values


def _names_read(code: "types.CodeType", module: "types.ModuleType", names: "dict[str, dict[str, str | None]]",
                before: "Before") -> "dict[str, dict[str, str | None]]":
    todo, seen = [(module, code.co_names)], set()
    while todo:
        at, candidates = todo.pop()
        scope = vars(at)
        read = names.setdefault(at.__name__, {})
        for name in candidates:
            if name not in scope or name[:2] == "__":
                continue
            value = scope[name]
            if type(value) is types.ModuleType and value.__name__ not in seen and _is_frameworks(value):
                seen.add(value.__name__)
                todo.append((value, candidates))
            if name not in read:
                read[name] = before.token(at, name)
            if per_thread.is_one(name, value):
                read.update(before.per_thread(at, name, candidates))
    return names


def _is_frameworks(module: "types.ModuleType") -> bool:
    """Whether it is a framework's, and the one that is imported under its name."""
    return ownership.module_owner(module.__name__) == ownership.FRAMEWORK and sys.modules.get(module.__name__) is module


def _token(value: "Any", depth: int = 0) -> "str | None":
    """A token for a module-level value; None for what is no setting (caches, locks, objects with a life of their own)."""
    leaf: Callable[[Any], str | None] | None = LEAVES.get(id(type(value)))
    if leaf is not None:
        return leaf(value)
    if issubclass(type(value), type):  # a stand-in may say that it is a class
        return f"class {kinds.qualified(value)}"
    if type(value) is types.FunctionType:
        return _function_token(value)
    if id(type(value)) in _CONTAINERS and depth < 2 and len(value) <= _LARGE:
        words = []
        numbers = {item for item in value if type(item) is int and item > _NO_ADDRESS}
        named = _named_addresses(numbers) if numbers else {}
        for item in value:
            word = named.get(item) if type(item) is int else None
            word = word or _token(item, depth + 1)
            if word is None:
                return None
            words.append(word)
        if type(value) is set or type(value) is frozenset:
            words.sort()
        told = words if len(words) < 20 else LEAVES[id(bytes)](repr(words).encode("utf-8", "replace"))
        return f"{type(value).__name__} {told}"
    return None


def _named_addresses(numbers: "set[int]") -> "dict[int, str]":
    """{the number that `id` gives: a token} for those of modules and of what Python has built in, which code notes in lists and sets: absl
    so knows its own modules, AutoGraph Python's functions. They are others in each process."""
    own = {id(value): f"the address of builtins.{name}" for name, value in vars(sys.modules["builtins"]).items() if id(value) in numbers}
    return own | {id(module): f"the address of module {name}" for name, module in list(sys.modules.items()) if id(module) in numbers}


def _value_at(module: "types.ModuleType", key: str) -> "Any":
    """The module's attribute; one that its class makes when it is first asked for (`six.moves.range`) is made now. Of what it keeps for
    each thread the key names an attribute, too."""
    name, _, attribute = key.partition(".")
    if attribute:
        local = vars(module).get(name)
        return per_thread.attribute(local, attribute) if per_thread.is_one(name, local) else _ABSENT
    value = vars(module).get(key, _ABSENT)
    return getattr(module, key, _ABSENT) if value is _ABSENT and key in vars(type(module)) else value


def _check_values(values: "dict[str, dict[str, str]]") -> "str | None":
    for name, read in values.items():
        module = sys.modules.get(name)
        if module is None:
            continue
        for key, token in read.items():
            value = _value_at(module, key)
            told = per_thread.told(value, _token) if "." in key else _token(value)
            if value is _ABSENT or told != token:
                return f"`{name}.{key}` is {'absent' if value is _ABSENT else (told or f'of {type(value)}')[:80]}, it was {token[:80]}"
    return None


# ------------------------------------------------------------------ classes


def _library_classes(found: "Walk") -> "list[type]":
    classes: dict[int, type] = {}
    for value in found.objects:
        cls = value if kinds.is_a(value, type) else type(value)
        if id(cls) not in classes and ownership.module_owner(kinds.module(cls)) == ownership.FRAMEWORK:
            for base in kinds.mro(cls):
                if ownership.module_owner(kinds.module(base)) == ownership.FRAMEWORK:
                    classes[id(base)] = base
    return [c for c in classes.values() if _class_at(f"{kinds.module(c)}:{kinds.qualname(c)}") is c]


def _class_at(name: str) -> "Any":
    module, _, qualified = name.partition(":")
    value = sys.modules.get(module)
    for part in qualified.split("."):
        value = _held(value).get(part)
    return value


def _methods(cls: type) -> str:
    """Which attributes the class has and what code stands behind each."""
    words = []
    for name, value in kinds.namespace(cls).items():
        function = value.fget if kinds.is_a(value, property) else kinds.bound(value)
        code = held(function, "__code__")
        if type(code) is types.CodeType:
            if not _stands_for_inherited(cls, name, function):
                words.append(name + _function_token(function))
        elif id(type(value)) in _SCALARS:
            words.append(f"{name}={'its own address' if kinds.is_address_of(value, cls) else repr(value)}")
        elif name[:2] != "__" and name[:5] != "_abc_":
            words.append(f"{name}:{kinds.qualname(type(value))}")
    words.sort()  # some are set in a loop over a set
    return f"{zlib.crc32(repr(words).encode('utf-8', 'replace')):x}"


def _stands_for_inherited(cls: type, name: str, function: "Any") -> bool:
    """Whether we have put it on the class for what a base of it has: it goes when nobody listens there any more."""
    plain = _below_ours(function)
    if plain is function:
        return False
    bases = (kinds.namespace(base) for base in kinds.mro(cls)[1:])
    return plain is _below_ours(next((own[name] for own in bases if name in own), None))


def _below_ours(function: "Any") -> "Any":
    while type(function) is types.FunctionType and ownership.is_ours(function.__code__.co_filename):
        function = kinds.own(function).get("__wrapped__")
    return function


def _check_classes(classes: "dict[str, str]") -> "str | None":
    for name, token in classes.items():
        cls = _class_at(name)
        if kinds.is_a(cls, type) and _methods(cls) != token:
            return f"the class `{name.replace(':', '.')}` was patched"
    return None
