"""Functions, methods and what wraps them, taken apart."""

import builtins
import sys
import types

from firststep_agent import kinds, ownership
from firststep_agent.boost.objects import bytecode
from firststep_agent.boost.objects.notes import as_given
from firststep_agent.boost.objects.parts import naming
from firststep_agent.boost.objects.parts.modules import for_code
from firststep_agent.boost.objects.parts.opaque import opaque
from firststep_agent.boost.objects.special import NO_FILTER, OWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from firststep_agent.boost.objects.reading import Reading
    from firststep_agent.boost.objects.special import Parts

_BUILTINS = builtins.__dict__
_POLYMORPHIC = "Function"  # what `tf.function` makes
_DEEP = 20  # wrappers below each other; there may be a circle
_WRAPPERS = frozenset(("__wrapped__",))
_REMEMBERED = kinds.numbers((dict, list, set))  # in a closure of a hook of ours: what it has seen, no part of what it stands for


def of_function(function: "types.FunctionType", reading: "Reading") -> "Parts":
    code = function.__code__
    user = ownership.owner(code.co_filename) == ownership.USER
    runs = reading.names is None or has_run(function, reading.names)
    if user:
        head = f"fn {function.__module__}.{function.__qualname__} {bytecode.digest(code)}"
        head = head if runs else _as_defined(head)
    else:
        head = f"lib fn {function.__module__}.{function.__qualname__} {bytecode.mark(code)}"
        if "<locals>" not in function.__qualname__ and "<lambda>" not in function.__qualname__ and not _wraps_users(function):
            return head, _put_on(function), OWN
    children = []
    if runs and function.__closure__:
        hook = ownership.is_ours(code.co_filename)
        for name, cell in zip(code.co_freevars, function.__closure__):
            try:
                value = cell.cell_contents
            except ValueError:
                continue  # not yet assigned
            if not hook or id(type(value)) not in _REMEMBERED:
                children.append(("cell " + name, for_code(value, code)))
    if runs and function.__defaults__:
        children.extend((f"default {i}", v) for i, v in enumerate(function.__defaults__))
    if runs and function.__kwdefaults__:
        children.extend(("kwdefault " + n, v) for n, v in function.__kwdefaults__.items())
    if user:
        if runs:
            children.extend(_globals(function, code))
        children.extend(naming.of(function.__name__, function.__qualname__, function.__annotations__))
        children.extend(naming.of_function(function, reading))
    put_on = function.__dict__.items() if user else ((name, value) for name, value in as_given(function.__dict__) if name in _WRAPPERS)
    children.extend((".." + name, value) for name, value in put_on)
    return head, children, NO_FILTER


def of_code(code: "types.CodeType", reading: "Reading") -> "Parts":
    """What `compile` gives, and `eval` and `exec` run."""
    return f"code {code.co_name} {bytecode.digest(code)}", (), NO_FILTER


def has_run(function: "types.FunctionType", names: "Any") -> bool:
    """Whether it may be one that the trace with these `names` has run. Of the program's others no line, no global, no variable around them
    and no default counts: `save()` names the folder of this run."""
    code = function.__code__
    return names.ran is None or ownership.owner(code.co_filename) != ownership.USER or bytecode.digest(code) in names.ran


def as_defined(head: str, children: "list[tuple[str, Any]]") -> "tuple[str, list[tuple[str, Any]]]":
    """What counts of a function that has not run, of what it is for whoever reads."""
    return _as_defined(head), [each for each in children if not each[0].startswith(_READ_WHERE_IT_RUNS)]


def _as_defined(head: str) -> str:
    return head.rpartition(" ")[0]


_READ_WHERE_IT_RUNS = ("cell ", "default ", "kwdefault ", "global ", "builtin ", "import ")


def _put_on(function: "types.FunctionType") -> "list[tuple[str, Any]]":
    """The attributes of a library's function that may be the program's, filtered by the names that its code reads."""
    return [("." + name, value) for name, value in as_given(function.__dict__) if name[:1] != "_"]


def _wraps_users(function: "types.FunctionType") -> bool:
    """A library's wrapper that took the name of what is the user's below it (`do_not_convert`, `tf.function` of a method), whatever is
    between them."""
    wrapped, left = function.__dict__.get("__wrapped__"), _DEEP
    while wrapped is not None and left:
        left -= 1
        kind = type(wrapped)
        if kind is types.FunctionType:
            if ownership.is_user(wrapped):
                return True
            wrapped = wrapped.__dict__.get("__wrapped__")
        elif kind is types.MethodType:
            if ownership.is_user_class(type(wrapped.__self__)):
                return True
            wrapped = wrapped.__func__
        elif kinds.qualified(kind) == "functools.partial":
            wrapped = wrapped.func
        else:
            return ownership.is_user_class(kind) or kinds.name(kind) == _POLYMORPHIC
    return False


def _globals(function: "types.FunctionType", code: "types.CodeType") -> "Iterator[tuple[str, Any]]":
    scope = function.__globals__
    for name in bytecode.globals_named(code):
        if name in scope:
            yield "global " + name, for_code(scope[name], code)
        elif name in _BUILTINS and not _is_pythons_own(_BUILTINS[name]):
            yield "builtin " + name, for_code(_BUILTINS[name], code)  # put there by someone
    for name in bytecode.modules_imported(code):
        for full in (name, f"{scope.get('__package__')}.{name}"):
            if full in sys.modules:
                yield "import " + full, for_code(sys.modules[full], code)


def _is_pythons_own(value: "Any") -> bool:
    """Of what stands among the built-in names: a class, a function in C, or one of the objects that `site` puts there."""
    if kinds.is_a(value, type):
        return kinds.module(value) == "builtins"
    is_in_c = type(value) is types.BuiltinFunctionType and kinds.is_a(value.__self__, types.ModuleType)
    return is_in_c or kinds.module(type(value)) == "_sitebuiltins"


def of_method(method: "types.MethodType", reading: "Reading") -> "Parts":
    return "method", [("func", method.__func__), ("self", method.__self__)], NO_FILTER


def of_partial(partial: "Any", reading: "Reading") -> "Parts":
    children = [("func", partial.func), ("..args", partial.args), ("..keywords", partial.keywords),
                *((".." + name, value) for name, value in vars(partial).items())]
    return "partial", children, NO_FILTER


def of_wrapper(attribute: str) -> "Callable[[Any, Reading], Parts]":
    def handler(value, reading):
        return type(value).__name__, [(".." + attribute, getattr(value, attribute))], NO_FILTER

    return handler


def of_property(value: "property", reading: "Reading") -> "Parts":
    """Also one of a class below, by what Python keeps of each."""
    return "property", [(".." + n, vars(property)[n].__get__(value)) for n in ("fget", "fset", "fdel")], NO_FILTER


def of_builtin_method(value: "types.BuiltinMethodType", reading: "Reading") -> "Parts":
    return f"c method {value.__name__}", [("self", value.__self__)], NO_FILTER


def of_cython(value: "Any", reading: "Reading") -> "Parts":
    """A function that Cython compiled: the file's, as one of C, but it can be given attributes and other defaults."""
    name = f"{value.__module__}.{value.__qualname__}"
    if "<locals>" in name:
        names = _exported(value)
        if not names:
            return opaque(value, reading)  # what it closes over is shown nowhere
        name = f"{value.__globals__['__name__']} {names}"
    kept = [("defaults", value.__defaults__), ("keyword defaults", value.__kwdefaults__), ("attributes", value.__dict__)]
    return f"cython {name}", [(f"..{step}", child) for step, child in kept], NO_FILTER


def _exported(value: "Any") -> "list[str]":
    """The names by which a module has a function of C that Cython hands to Python: all that such a one closes over is that function."""
    if not value.__qualname__.startswith("__Pyx_CFunc_"):
        return []
    return sorted(name for name, held in list(value.__globals__.items()) if held is value)


def of_cached(value: "Any", reading: "Reading") -> "Parts":
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


def of_cell(value: "types.CellType", reading: "Reading") -> "Parts":
    try:
        return "cell", [("..cell_contents", value.cell_contents)], NO_FILTER
    except ValueError:
        return "empty cell", (), NO_FILTER
