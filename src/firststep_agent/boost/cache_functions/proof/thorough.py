"""One value taken apart as far as it goes, for comparing two forks of one process: nothing that a program can see is left out.

`objects.expand` leaves out what no trace reads, and calls what it cannot compare with another run opaque. Two forks share
their addresses and everything that was there before: what is opaque is told by its own account of itself (`__reduce_ex__`), by
what it refers to, by its address and the memory there.
"""

import _thread
import collections.abc
import functools
import gc
import inspect
import sys
import types
import weakref

from firststep_agent import kinds, ownership
from firststep_agent.boost.cache_functions.reads import kept_tensors, plain_values
from firststep_agent.boost.objects import notes, special
from firststep_agent.boost.objects.attributes import attributes
from firststep_agent.boost.objects.expand import expand
from firststep_agent.boost.objects.parts.instances import is_of_c
from firststep_agent.boost.objects.reading import ModuleRead

from . import kept, native_memory, wrappers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from firststep_agent.boost.objects.reading import Reading


_ALL = _ATTRIBUTES, _PUT_ON = "..attributes", "..put on"  # steps to all attributes at once


def parts(reading: "Reading") -> "Callable[[Any], tuple[str, Any, Any]]":
    """The function that a walk takes values apart with."""
    tells: dict = {}  # id of a class -> what tells of attributes, which its words leave out; the walk holds an object of each
    of_c: dict[int, bool] = {}

    def of(value):
        if _is_librarys(value):
            return _of_library(value)
        if ownership.is_ours_class(type(value)):
            # What stands for a framework's object, too, which `expand` takes apart as one: what it holds is what the agent does, and that
            # differs in the two.
            return f"{kinds.qualname(type(value))} of ours", (), 0
        head, children, kind = expand(value, reading)
        if head[0] == "!":
            return _opaque(value)
        cls = type(value)
        more = _MORE.get(id(cls))
        if more is None and issubclass(cls, type) and ownership.is_user_class(value):
            more = _of_class
        if more is None:
            if id(cls) not in tells:
                tells[id(cls)] = _telling(cls)
            more = tells[id(cls)]
        if more is not None:
            children = [*children, *more(value)]
        if id(cls) not in of_c:
            of_c[id(cls)] = _is_of_c(cls)
        if of_c[id(cls)]:
            children = [*children, *_of_c(value, cls, children)]
        return head, children, kind

    return of


def _telling(cls: type) -> "Callable[[Any], Iterator[tuple[str, Any]]] | None":
    if special.tells_attributes(cls):
        return None
    return _of_symbolic if special.is_symbolic(cls) else _of_value if plain_values.is_value(cls) else _of_attributes


def _is_of_c(cls: type) -> bool:
    """Whether its objects are, below a program's class, of a class that is made in C and is not the frameworks'."""
    if issubclass(cls, (type, types.ModuleType)) or cls is types.FunctionType:  # all that these have is told
        return False
    native = next(filter(is_of_c, kinds.mro(cls)))
    return native is not object and ownership.module_owner(kinds.module(native)) != ownership.FRAMEWORK


def _of_c(value: "Any", cls: type, children: "Iterable[tuple[str, Any]]") -> "Iterator[tuple[str, Any]]":
    """What a program may have put on it, where its words tell of no attribute; of what wraps a method its text, and what it wraps, too."""
    if wrappers.is_wanted(cls):
        yield "..within", native_memory.of(value)[0]
    if kinds.dict_offset(cls) and not any(step[0] == "." != step[1] or step in _ALL for step, _ in children):
        put_on = kinds.own(value)
        if put_on:
            yield _PUT_ON, put_on


def _is_librarys(value: "Any") -> bool:
    """Whether it is a class or function of an installed package: those are looked at module by module (`state`)."""
    if type(value) is ModuleRead:
        return True
    if type(value) is types.FunctionType:
        return ownership.is_installed(value.__code__.co_filename) or ownership.owner(value.__code__.co_filename) == ownership.STDLIB
    return kinds.is_a(value, type) and not ownership.is_programs(kinds.module(value))


def attributes_of(function: "types.FunctionType") -> "Iterator[tuple[str, Any]]":
    """(name, value) of those that a program may have set. TensorFlow keeps on a function what it has traced, which a replay does not add
    to."""
    for name, value in notes.as_given(function.__dict__):
        if name[:1] != "_" or ownership.module_owner(kinds.module(type(value))) != ownership.FRAMEWORK:
            yield ".." + name, value


def _of_library(value: "Any") -> "tuple[str, Any, int]":
    if type(value) is ModuleRead:
        return f"module {kinds.module_name(value.module)}", (), 0
    children = []
    if type(value) is types.FunctionType:
        children = list(attributes_of(value))
        if ownership.is_ours(value.__code__.co_filename):
            return f"{value.__module__}.{value.__qualname__} {id(value)}", children, 0
        for name, cell in zip(value.__code__.co_freevars, value.__closure__ or ()):
            try:
                children.append(("cell " + name, cell.cell_contents))
            except ValueError:
                pass  # not yet assigned
        children.append(("defaults", (value.__defaults__, value.__kwdefaults__)))
        # One that a call has made is what it is by its code and what it holds: each set of weak references has one of its own.
        which = value.__code__ if value.__code__.co_flags & inspect.CO_NESTED else value
        return f"{value.__module__}.{value.__qualname__} {id(which)}", children, 0
    return f"{kinds.qualified(value)} {id(value)}", children, 0


def _of_function(function: "types.FunctionType") -> "Iterator[tuple[str, Any]]":
    if ownership.is_user(function):
        yield "..annotations", function.__annotations__
        yield "..name", (function.__name__, function.__qualname__, function.__doc__)
        yield "..code", id(function.__code__)


def _of_class(cls: type) -> "Iterator[tuple[str, Any]]":
    held = kinds.namespace(cls)
    yield "..__annotations__", held.get("__annotations__") or {}  # an empty one is made when it is first asked for
    for name in ("__doc__", "__abstractmethods__", "__match_args__"):
        if name in held:
            yield ".." + name, held[name]
    yield "..bases", [id(base) for base in kinds.bases(cls)]
    if "_abc_impl" in held:
        yield "..registered", registered(cls)


def registered(cls: type) -> "tuple[int, ...]":
    """Addresses of the classes that were registered with an abstract one."""
    import _abc

    return tuple(sorted(id(reference()) for reference in _abc._get_dump(cls)[0]))


def _of_attributes(value: "Any") -> "Iterator[tuple[str, Any]]":
    """What a program may have put on a dataset, a strategy, a logger."""
    yield _ATTRIBUTES, kept.of_object(value, type(value))


def _of_value(value: "Any") -> "Iterator[tuple[str, Any]]":
    """One that its words tell whole: what a program may have put on it."""
    yield _PUT_ON, kinds.own(value)


def _of_symbolic(tensor: "Any") -> "Iterator[tuple[str, Any]]":
    """A tensor that something has kept of a trace: each trace makes another, in a graph of its own, and what stands for it is a third."""
    yield "..is", kept_tensors.identity(tensor)
    yield from ((".." + name, held) for name, held in attributes(tensor, type(tensor)))


def _of_lock(lock: "Any") -> "Iterator[tuple[str, Any]]":
    yield "..held", repr(lock)  # by whom, and how often


def _of_finalizer(finalizer: "Any") -> "Iterator[tuple[str, Any]]":
    kept_of = type(finalizer)._registry.get(finalizer)
    yield "..registered", None if kept_of is None else (kept_of.atexit, id(kept_of.func), id(kept_of.args), id(kept_of.kwargs))


def _of_cached(function: "Any") -> "Iterator[tuple[str, Any]]":
    plain = function.__wrapped__  # how often a library's own was asked decides nothing, and AutoGraph asks modules
    if ownership.is_programs(plain.__module__) and getattr(plain, "__name__", "") != "__getattr__":
        yield "..calls", tuple(function.cache_info())


def _of_module(module: "types.ModuleType") -> "Iterator[tuple[str, Any]]":
    if ownership.module_owner_of(module) == ownership.USER:
        for name, value in list(kinds.own(module).items()):
            if name[:2] == "__" and name not in _OF_EVERY_MODULE:
                yield ".." + name, value


_OF_EVERY_MODULE = frozenset(("__builtins__", "__warningregistry__", "__loader__", "__spec__", "__cached__"))
_MORE: "dict[int, Callable[[Any], Iterator[tuple[str, Any]]]]" = kinds.by_number({
    types.FunctionType: _of_function, types.ModuleType: _of_module, functools._lru_cache_wrapper: _of_cached,
    _thread.LockType: _of_lock, _thread.RLock: _of_lock, weakref.finalize: _of_finalizer})


def _opaque(value: "Any") -> "tuple[str, Any, int]":
    kind = type(value)
    told = next((_TOLD[id(base)] for base in kinds.mro(kind) if id(base) in _TOLD), None)
    if told is None and not ownership.is_user_class(kind):
        told = _digest if hasattr(kind, "hexdigest") else _elements(kind)
    head = kinds.qualified(kind)
    if told is not None:
        try:
            return head, [("..told", told(value))], 0
        except Exception as error:
            return f"{head} {type(error).__name__} {id(value)}", (), 0
    if not ownership.is_user_class(kind):
        try:
            account = value.__reduce_ex__(2)
            if type(account) is tuple:
                within = native_memory.of(value) if hasattr(kind, "__next__") else native_memory.lent(value)
                return head, [("..within", within), *((f"#{i}", part) for i, part in enumerate(account[:3]))], 0
        except native_memory.TooLarge:
            raise
        except Exception:  # it cannot be pickled
            pass
    children = [("..within", native_memory.of(value)), *(("." + name, child) for name, child in _named(value, kind))]
    children += [(f"refers {i}", child) for i, child in enumerate(gc.get_referents(value))
                 if not kinds.is_a(child, (type, types.ModuleType)) and id(type(child)) not in _FRAMES]
    return f"{head} {id(value)}", children, 0


def _named(value: "Any", kind: type) -> "Iterator[tuple[str, Any]]":
    """Its attributes; those whose names are no text by a number."""
    for number, (name, child) in enumerate(attributes(value, kind)):
        yield f".{name if kinds.is_a(name, str) else number}", child


_FRAMES = kinds.numbers((types.FrameType, types.CodeType))


def _elements(kind: type) -> "type | None":
    """How the elements are told of a container that a framework keeps in C: a protocol buffer's lists and maps."""
    if ownership.module_owner(kinds.module(kind)) != ownership.FRAMEWORK:
        return None
    return list if issubclass(kind, collections.abc.Sequence) else dict if issubclass(kind, collections.abc.Mapping) else None


def _generator(value: "Any") -> "tuple[int, dict[str, Any]] | None":
    frame = getattr(value, "gi_frame", None) or getattr(value, "cr_frame", None) or getattr(value, "ag_frame", None)
    return None if frame is None else (frame.f_lasti, dict(frame.f_locals))


def _context_variable(value: "Any") -> "Any":
    return value.get(None)


def _digest(value: "Any") -> "Any":
    """What a hash of hashlib's has made of what it was given."""
    try:
        return value.hexdigest()
    except TypeError:  # of any length
        return value.hexdigest(32)


def _stream(value: "Any") -> "tuple[Any, ...]":
    within = native_memory.of(value)  # before it is asked for its text, which it makes anew, at another address
    getvalue = getattr(value, "getvalue", None)
    return (id(value), value.closed, getvalue() if getvalue is not None else None, within)


def _told() -> "dict[int, Callable[[Any], Any]]":
    import _io

    told: dict[type, Callable[[Any], Any]] = {
        types.GeneratorType: _generator, types.CoroutineType: _generator, types.AsyncGeneratorType: _generator,
        _io._IOBase: _stream, types.FrameType: id, types.CodeType: id,
        memoryview: lambda value: (value.format, value.shape, value.tobytes())}
    contextvars = sys.modules.get("contextvars")
    if contextvars is not None:
        told[contextvars.ContextVar] = _context_variable
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        told[numpy.nditer] = lambda value: (native_memory.of(value), value.iterindex)
    return kinds.by_number(told)


_TOLD = _told()
