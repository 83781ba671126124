"""One value taken apart: a head (what it is, in one string) and its children (step, value), in a fixed order.

A step says how to get from the value to the child and can be taken again in another process (`paths`):
`.name` attribute, `#2` item, `@2` value of the third dictionary entry, `&2` its key, `cell name`, `global name`,
`import name`, `builtin name`, `default 1`, `kwdefault name`, `func`, `self`, `deref`, `base 0`, `class`, `python_function`.
A head that begins with `!` is a value that cannot be digested; the rest of it says what it is.
"""

import builtins
import sys
import types
import weakref

from firststep_agent import kinds, ownership
from firststep_agent.boost.objects import bytecode, special
from firststep_agent.boost.objects.attributes import attributes
from firststep_agent.boost.objects.leaves import LEAVES, word
from firststep_agent.boost.objects.special import LIBRARY, NO_FILTER, OWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Iterable, Iterator
    from typing import Any

    from firststep_agent.boost.objects.special import Parts

_BUILTINS = builtins.__dict__
_WRAPPERS = frozenset(("__wrapped__",))
_REMEMBERED = kinds.numbers((dict, list, set))  # in a closure of a hook of ours: what it has seen, no part of what it stands for
_CLASS_NOISE = frozenset(
    """__dict__ __weakref__ __doc__ __module__ __qualname__ __annotations__ __annotate__ __annotate_func__ __annotations_cache__
    __abstractmethods__ _abc_impl __slots__ __firstlineno__ __static_attributes__ __parameters__ __orig_bases__ __match_args__
    __dataclass_params__ __conditional_annotations__ __type_params__ __slotnames__""".split()
)


class ModuleRead:
    """The part of a module that some code can read through an expression like `module.name.name`."""

    __slots__ = ("module", "names")
    module: "types.ModuleType"
    names: tuple
    _made: dict = {}

    @classmethod
    def of(cls, module: "types.ModuleType", names: "tuple[str, ...]") -> "ModuleRead":
        """One and the same object for one module and one tuple of names, so that a walk meets it once."""
        key = (id(module), id(names))
        made = cls._made.get(key)
        if made is None or made.module is not module:
            made = cls._made[key] = cls()
            made.module, made.names = module, names
        return made


class Reading:
    """How values are read: which names count (None: all), whose contents are wanted, and whether also what no trace reads counts."""

    def __init__(self, names: "Any" = None, values: "Container[int]" = (), unread: bool = False) -> None:
        self.names = names
        self.values = values  # ids of tensors and variables whose contents are part of the key
        self.unread = unread


class Everything:
    """Stands for the ids of all tensors and variables: the contents of each count."""

    def __contains__(self, _: object) -> bool:
        return True


def expand(value: "Any", reading: "Reading") -> "Parts":
    """(head, children, filter kind) of a value that is no leaf."""
    kind = type(value)
    handler = _HANDLERS.get(id(kind))
    if handler is None:
        handler = _HANDLERS[id(kind)] = _resolve(kind)
        _met.append(kind)
    return handler(value, reading)


_met: "list[type]" = []  # the classes whose ids are in `_HANDLERS`, so that no other gets one of them


# ------------------------------------------------------------------ functions


def _function(function: "types.FunctionType", reading: "Reading") -> "Parts":
    code = function.__code__
    user = ownership.owner(code.co_filename) == ownership.USER
    if user:
        head = f"fn {function.__module__}.{function.__qualname__} {bytecode.digest(code)}"
    else:
        head = f"lib fn {function.__module__}.{function.__qualname__} {bytecode.mark(code)}"
        if "<locals>" not in function.__qualname__ and "<lambda>" not in function.__qualname__ and not _wraps_users(function):
            return head, (), NO_FILTER
    children = []
    if function.__closure__:
        hook = ownership.is_ours(code.co_filename)
        for name, cell in zip(code.co_freevars, function.__closure__):
            try:
                value = cell.cell_contents
            except ValueError:
                continue  # not yet assigned
            if not hook or id(type(value)) not in _REMEMBERED:
                children.append(("cell " + name, _for_code(value, code)))
    if function.__defaults__:
        children.extend((f"default {i}", v) for i, v in enumerate(function.__defaults__))
    if function.__kwdefaults__:
        children.extend(("kwdefault " + n, v) for n, v in function.__kwdefaults__.items())
    if user:
        children.extend(_globals(function, code))
    for name, value in function.__dict__.items():
        if user or name in _WRAPPERS:
            children.append((".." + name, value))
    return head, children, NO_FILTER


def _wraps_users(function: "types.FunctionType") -> bool:
    """A library's wrapper that took the name of the user's function below it (`do_not_convert`)."""
    wrapped = function.__dict__.get("__wrapped__")
    return type(wrapped) is types.FunctionType and ownership.is_user(wrapped)


def _globals(function: "types.FunctionType", code: "types.CodeType") -> "Iterator[tuple[str, Any]]":
    scope = function.__globals__
    for name in bytecode.globals_named(code):
        if name in scope:
            yield "global " + name, _for_code(scope[name], code)
        elif type(_BUILTINS.get(name)) is types.FunctionType:
            yield "builtin " + name, _BUILTINS[name]  # put there by someone: Python's own are in C
    for name in bytecode.modules_imported(code):
        for full in (name, f"{scope.get('__package__')}.{name}"):
            if full in sys.modules:
                yield "import " + full, _for_code(sys.modules[full], code)


def _for_code(value: "Any", code: "types.CodeType") -> "Any":
    """A library's module is cut down to what the code can name in it; the user's are taken as they are."""
    if kinds.is_a(value, types.ModuleType) and ownership.module_owner_of(value) != ownership.USER:
        return ModuleRead.of(value, _module_names(code))
    return value


_names_of_code: dict = {}


def _module_names(code: "types.CodeType") -> "tuple[str, ...]":
    found = _names_of_code.get(id(code))
    if found is None:
        found = {}
        for each in bytecode.nested(code):
            found.update(dict.fromkeys(each.co_names))
            # `from package import name` and `import a.b` inside a function name modules in constants
            for constant in each.co_consts:
                if type(constant) is tuple:
                    found.update(dict.fromkeys(c for c in constant if type(c) is str))
        found = _names_of_code[id(code)] = (code, tuple(found))
    return found[1]


def _module_read(read: "ModuleRead", reading: "Reading") -> "Parts":
    module = read.module
    scope = kinds.own(module)
    children = []
    for name in read.names:
        if name not in scope or name[:2] == "__":
            continue
        value = scope[name]
        if kinds.is_a(value, types.ModuleType):
            if value is module:
                continue
            if ownership.module_owner_of(value) != ownership.USER:
                value = ModuleRead.of(value, read.names)
        children.append((".." + name, value))
    return f"module {kinds.module_name(module)}", children, NO_FILTER


def _module(module: "types.ModuleType", reading: "Reading") -> "Parts":
    if ownership.module_owner_of(module) != ownership.USER:
        return f"module {kinds.module_name(module)}", (), NO_FILTER
    keep = reading.names.by_kind[OWN] if reading.names is not None else None
    children = []
    for name, value in kinds.own(module).items():
        if name[:2] != "__" and (keep is None or name in keep) or name == "__getattr__":  # which gives what is not there
            children.append(("." + name, value))
    return f"module {kinds.module_name(module)}", children, OWN


def _method(method: "types.MethodType", reading: "Reading") -> "Parts":
    return "method", [("func", method.__func__), ("self", method.__self__)], NO_FILTER


def _partial(partial: "Any", reading: "Reading") -> "Parts":
    children = [("func", partial.func), ("..args", partial.args), ("..keywords", partial.keywords),
                *((".." + name, value) for name, value in vars(partial).items())]
    return "partial", children, NO_FILTER


def _wrapper_of_function(attribute: str) -> "Callable[[Any, Reading], Parts]":
    def handler(value, reading):
        return type(value).__name__, [(".." + attribute, getattr(value, attribute))], NO_FILTER

    return handler


def _property(value: "property", reading: "Reading") -> "Parts":
    """Also one of a class below, by what Python keeps of each."""
    return "property", [(".." + n, vars(property)[n].__get__(value)) for n in ("fget", "fset", "fdel")], NO_FILTER


def _builtin_method(value: "types.BuiltinMethodType", reading: "Reading") -> "Parts":
    return f"c method {value.__name__}", [("self", value.__self__)], NO_FILTER


def _cython(value: "Any", reading: "Reading") -> "Parts":
    """A function that Cython compiled: the file's, as one of C, but it can be given attributes and other defaults."""
    if "<locals>" in value.__qualname__:
        return _opaque(value, reading)  # what it closes over is shown nowhere
    kept = [("defaults", value.__defaults__), ("keyword defaults", value.__kwdefaults__), ("attributes", value.__dict__)]
    return f"cython {value.__module__}.{value.__qualname__}", [(f"..{name}", child) for name, child in kept], NO_FILTER


def _cached(value: "Any", reading: "Reading") -> "Parts":
    # What is in the cache was computed before and stands for calls that will not run: it is state like any other.
    import gc

    info = value.cache_parameters() if hasattr(value, "cache_parameters") else {}
    children = [("..__wrapped__", value.__wrapped__)]
    if value.cache_info().currsize:
        caches = [r for r in gc.get_referents(value) if type(r) is dict and r is not getattr(value, "__dict__", None)]
        for cache in caches:
            for at, (key, kept) in enumerate(cache.items()):
                if type(kept).__name__ == "_lru_list_elem":
                    kept = tuple(r for r in gc.get_referents(kept) if type(r).__name__ != "_lru_list_elem")
                children.append((f"cached {at}", (_unkeyed(key), kept)))
    return f"lru_cache {info}", children, NO_FILTER


def _unkeyed(key: "Any") -> "Any":
    return tuple(list.__iter__(key)) if kinds.is_a(key, list) else key


# ------------------------------------------------------------------ containers


def _sequence(value: "Collection[Any]", reading: "Reading") -> "Parts":
    return type(value).__name__, _numbered(value), NO_FILTER


_STEPS = tuple(f"#{i}" for i in range(512))


def _numbered(items: "Collection[Any]") -> "list[tuple[str, Any]]":
    if len(items) <= len(_STEPS):
        return list(zip(_STEPS, items))
    return [(f"#{i}", v) for i, v in enumerate(items)]


def _standard_stream(value: "Any", reading: "Reading") -> "Parts":
    """What is written to one of the three goes where this process's goes; of any other stream that cannot be told."""
    for name in ("stdin", "stdout", "stderr"):
        if value is getattr(sys, f"__{name}__"):
            return f"stream {name}", (), NO_FILTER
    return _opaque(value, reading)


def _structure(value: "Any", reading: "Reading") -> "Parts":
    """`sys.version_info`, `os.uname()` and the like: a tuple with names, some of them of nothing in the tuple."""
    items, others = value.__reduce__()[1]
    children = [*_numbered(items), *(("." + name, other) for name, other in others.items())]
    return kinds.qualified(type(value)), children, NO_FILTER


def _dict(value: "Any", reading: "Reading") -> "Parts":
    return _pairs(type(value).__name__, value.items() if value is not sys.modules else entries(value))


def entries(mapping: "Any") -> "list[tuple[Any, Any]]":
    """[(key, value)] of a dictionary. Of `sys.modules` less the agent's own, which come when the agent needs them, from any thread."""
    if mapping is not sys.modules:
        return list(mapping.items())
    return [(name, module) for name, module in list(mapping.items()) if not (type(name) is str and name.startswith("firststep_agent"))]


def _pairs(name: str, items: "Iterable[tuple[Any, Any]]") -> "Parts":
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


def _ordered(value: "dict[Any, Any]", reading: "Reading") -> "Parts":
    """It looks each key up as it goes through them, which asks a key of the program's for its hash."""
    return _dict(value, reading) if all(id(type(key)) in LEAVES for key in dict.keys(value)) else _opaque(value, reading)


def _proxy(value: "types.MappingProxyType[Any, Any]", reading: "Reading") -> "Parts":
    """It asks the mapping behind it, which may be of a class of the program's."""
    import gc

    return _dict(value, reading) if all(type(each) is dict for each in gc.get_referents(value)) else _opaque(value, reading)


def _defaultdict(value: "Any", reading: "Reading") -> "Parts":
    head, children, kind = _dict(value, reading)
    return head, [("..default_factory", value.default_factory), *children], kind


def _wrapt(value: "Any", reading: "Reading") -> "Parts":
    notes = [("." + name, note) for name, note in kinds.own(value).items()] if reading.unread else []
    return type(value).__name__, [("..__wrapped__", value.__wrapped__), *notes], NO_FILTER


def _set(value: "Iterable[Any]", reading: "Reading") -> "Parts":
    return _members(type(value).__name__, value)


def _members(name: str, values: "Iterable[Any]") -> "Parts":
    words, others = [], []
    for v in values:
        told = word(v)
        if told is None:
            others.append(v)
        else:
            words.append(told)
    if len(others) > 1:
        others.sort(key=_stable)
    return f"{name} {sorted(words)}", _numbered(others), NO_FILTER


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


def _slice(value: "slice", reading: "Reading") -> "Parts":
    return "slice", [("..start", value.start), ("..stop", value.stop), ("..step", value.step)], NO_FILTER


def _weak(value: "Any", reading: "Reading") -> "Parts":
    return "weakref", [("deref", referred(value))], NO_FILTER


def referred(value: "Any") -> "Any":
    """What a weak reference refers to, or None: not by a `__call__` of the program's."""
    return value() if type(value) is weakref.WeakMethod else weakref.ReferenceType.__call__(value)


def _cell(value: "types.CellType", reading: "Reading") -> "Parts":
    try:
        return "cell", [("..cell_contents", value.cell_contents)], NO_FILTER
    except ValueError:
        return "empty cell", (), NO_FILTER


# ------------------------------------------------------------------ classes and instances


def _class(cls: type, reading: "Reading") -> "Parts":
    if not ownership.is_user_class(cls):
        return library_class(cls), (), NO_FILTER
    children = [(f"base {i}", base) for i, base in enumerate(kinds.bases(cls))]
    if type(cls) is not type:
        children.append(("metaclass", type(cls)))
    for name, value in kinds.namespace(cls).items():
        if name not in _CLASS_NOISE:
            children.append(("." + name, value))
    return f"class {kinds.qualified(cls)}", children, OWN


def library_class(cls: type) -> str:
    return f"lib class {kinds.qualified(cls)}"


def _name_in(pair: "tuple[Any, Any]") -> str:
    return pair[0] if type(pair[0]) is str else ""


def _instance(value: "Any", reading: "Reading") -> "Parts":
    cls = type(value)
    user = ownership.is_user_class(cls)
    kind = OWN if user else LIBRARY
    keep = reading.names.by_kind[kind] if reading.names is not None else None
    # With no names given everything is taken, to be filtered later: what is skipped is skipped then, too.
    skipped = special.unread(cls, reading.names is None or reading.names.seeds)
    held = attributes(value, cls)
    if reading.unread and skipped:  # Keras 2 takes out what is there before it sets anything, so that it moves behind all others
        held = sorted(held, key=_name_in)
    if reading.unread:
        skipped &= special.UNSEEN
    children = []
    if user:
        head = "of"
        children.append(("class", cls))
    else:
        head = "of " + library_class(cls)
    for name, child in held:
        if (keep is None or name in keep or name[:2] == "__") and name not in skipped:
            if name in special.NUMBERED and not user:
                child = special.without_numbers(child)
            children.append(("." + name, child))
    if kinds.is_a(value, _CONTAINERS):
        more, contents, _ = _as_container(value, reading)
        head = f"{head} {more}"
        children.extend(contents)
    return head, children, kind if keep is None else NO_FILTER  # filtered here


_CONTAINERS = (list, tuple, dict, set, frozenset, int, float, str, bytes, complex)
_NUMBERS_OF_CONTAINERS = kinds.numbers(_CONTAINERS)


def _as_container(value: "Any", reading: "Reading") -> "Parts":
    base = next(base for base in _CONTAINERS if kinds.is_a(value, base))
    if base is dict:
        return _pairs("dict", dict.items(value))
    if base is set or base is frozenset:
        return _members("set", base.__iter__(value))
    if base is list or base is tuple:
        return "items", _numbered(list(base.__iter__(value))), NO_FILTER
    return LEAVES[id(base)](_PLAINLY[base](value)), (), NO_FILTER


def _bytes(value: bytes) -> bytes:
    return bytes.__getitem__(value, slice(None))


# What is in a number or a text, as one of Python's own class: none of these calls a method of a class below it.
_PLAINLY: "dict[type, Callable[[Any], Any]]" = {int: int.__int__, float: float.__float__, complex: complex.__pos__, str: str.__str__,
                                                     bytes: _bytes}


def _enum(value: "Any", reading: "Reading") -> "Parts":
    put_on = [("." + name, held) for name, held in attributes(value, type(value)) if name not in _OF_EVERY_MEMBER]
    of_every = kinds.own(value)
    return f"enum {of_every.get('_name_')}", [("class", type(value)), ("..value", of_every.get("_value_")), *put_on], NO_FILTER


_OF_EVERY_MEMBER = frozenset(("_name_", "_value_", "__objclass__", "_sort_order_"))


def _namespace(value: "types.SimpleNamespace", reading: "Reading") -> "Parts":
    return "namespace", [("." + name, child) for name, child in vars(value).items()], OWN


def _lock(value: "Any", reading: "Reading") -> "Parts":
    return "lock", (), NO_FILTER


def _opaque(value: "Any", reading: "Reading") -> "Parts":
    cls = type(value)
    if (not ownership.is_user_class(cls) and callable(value) and hasattr(value, "__qualname__")
            and ownership.module_owner(getattr(value, "__module__", None)) != ownership.USER):
        return f"c {value.__module__}.{value.__qualname__}", (), NO_FILTER
    return f"!{_article(cls)}", (), NO_FILTER


def _article(cls: type) -> str:
    name = kinds.qualname(cls) if kinds.module(cls) in ("builtins", "__main__") else kinds.qualified(cls)
    return f"a `{name.replace('_thread.lock', 'threading.Lock').replace('_thread.RLock', 'threading.RLock')}`"


# ------------------------------------------------------------------ which handler takes which type

_HANDLERS: "dict[int, Callable[[Any, Reading], Parts]]" = kinds.by_number({
    types.FunctionType: _function,
    types.MethodType: _method,
    types.BuiltinFunctionType: _builtin_method,
    types.CellType: _cell,
    ModuleRead: _module_read,
    classmethod: _wrapper_of_function("__func__"),
    staticmethod: _wrapper_of_function("__func__"),
    property: _property,
    list: _sequence,
    tuple: _sequence,
    dict: _dict,
    types.MappingProxyType: _proxy,
    set: _set,
    frozenset: _set,
    slice: _slice,
    bytearray: lambda value, reading: ("bytearray " + LEAVES[id(bytes)](bytes(value)), (), NO_FILTER),
})

_CYTHONS = ("cython_function_or_method", "fused_cython_function")  # each version of Cython has its own module of them

_BY_NAME: "dict[str, Callable[[Any, Reading], Parts]]" = {
    "functools.partial": _partial,
    "functools._lru_cache_wrapper": _cached,
    "collections.deque": _sequence,
    "collections.OrderedDict": _ordered,
    "collections.Counter": _dict,
    "collections._tuplegetter": lambda value, reading: (repr(value), (), NO_FILTER),
    "_collections._tuplegetter": lambda value, reading: (repr(value), (), NO_FILTER),
    "collections.defaultdict": _defaultdict,
    "tensorflow.python.trackable.data_structures._DictWrapper": _wrapt,
    "tensorflow.python.trackable.data_structures._TupleWrapper": _wrapt,
    "weakref.ReferenceType": _weak,
    "weakref.WeakMethod": _weak,
    "builtins.weakref": _weak,
    "types.SimpleNamespace": _namespace,
    "_io.TextIOWrapper": _standard_stream,
    "_thread.lock": _lock,
    "_thread.RLock": _lock,
}


def _resolve(kind: type) -> "Callable[[Any, Reading], Parts]":
    for base in kinds.mro(kind):
        named = _BY_NAME.get(kinds.qualified(base))
        if named is not None and (base is kind or named is _weak):
            return named
        if kinds.qualname(base) in _CYTHONS and made_in_c(base):
            return _cython
        handler = special.handler(base)
        if handler is not None and ownership.is_user_class(kind):
            return _opaque if special.runs_own_code(kind, base) else _with_own(handler)
        if handler is not None:
            return handler
    if ownership.is_ours_class(kind):
        return _ours
    if issubclass(kind, property):
        return _with_own(_property)
    if issubclass(kind, type):
        return _class
    if issubclass(kind, types.ModuleType):
        return _module
    import enum

    if issubclass(kind, enum.Enum):
        return _enum
    if issubclass(kind, tuple) and "n_sequence_fields" in kinds.namespace(kind):
        return _structure
    if _is_plain(kind):
        return _instance
    return _opaque


def _ours(value: "Any", reading: "Reading") -> "Parts":
    """What holds what firststep does, which is none of the program's, and another thing in each start."""
    return f"{kinds.qualname(type(value))} of ours", (), NO_FILTER


def _with_own(handler: "Callable[[Any, Reading], Parts]") -> "Callable[[Any, Reading], Parts]":
    """For a class of the program's below one that is known by name: its code and what it keeps count with what the known one tells."""

    def of(value, reading):
        head, children, _ = handler(value, reading)
        told = {id(child) for _, child in children}
        left_out = special.moving(type(value))
        put_on = [("." + name, child) for name, child in attributes(value, type(value)) if id(child) not in told and name not in left_out]
        return head, [("class", type(value)), *children, *put_on], OWN

    return of


def _is_plain(kind: type) -> bool:
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


def made_in_c(base: type) -> bool:
    """True for a class of an extension module: its instances keep state where no attribute shows it.

    A class statement may take a descriptor from another class: `__setattr__ = dict.__setitem__`.
    """
    for name, value in kinds.namespace(base).items():
        if type(value) in _OF_C_CLASSES and value.__objclass__ is base and name not in ("__dict__", "__weakref__"):
            return True
        if name == "__new__" and type(value) is types.BuiltinFunctionType and value.__self__ is base:
            return True
    return ("__dict__" not in kinds.namespace(base) and "__slots__" not in kinds.namespace(base)
            and not any("__dict__" in kinds.namespace(each) for each in kinds.mro(base)[1:]))
