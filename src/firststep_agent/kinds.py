"""What an object or a class is, asked without running any code of the program.

`isinstance` asks an object for its `__class__`; a class that is a key of a dictionary, or looked for in a tuple, is hashed and compared
by its metaclass; `cls.__module__` passes through the metaclass's `__getattribute__`. All of them may be the program's: they may count
their calls, lie, or raise.
"""

import builtins
import sys
from _operator import is_

from firststep_agent.signals import FUNCTION, METHOD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, TypeVar

    What = TypeVar("What")

_MODULE = type.__dict__["__module__"].__get__
name: "Callable[[type], str]" = type.__dict__["__name__"].__get__
qualname: "Callable[[type], str]" = type.__dict__["__qualname__"].__get__
bases: "Callable[[type], tuple[Any, ...]]" = type.__dict__["__bases__"].__get__
mro: "Callable[[type], tuple[type, ...]]" = type.__dict__["__mro__"].__get__
namespace: "Callable[[Any], Mapping[str, Any]]" = type.__dict__["__dict__"].__get__
flags: "Callable[[type], int]" = type.__dict__["__flags__"].__get__
dict_offset: "Callable[[type], int]" = type.__dict__["__dictoffset__"].__get__
_WEAK_OFFSET: "Callable[[type], int]" = type.__dict__["__weakrefoffset__"].__get__
HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: a class made by a class statement, or by an extension
NO_MODULE = "<no module>"
_MAKERS = frozenset(("builtins", "types"))  # what these modules hold themselves is theirs
_DESCRIPTORS = (type(type.__dict__["__module__"]), type(type.__dict__["__dictoffset__"]))  # of an attribute made in C, and of a slot

TAKES_ITS_OBJECT = (FUNCTION, type(str.join), type(object.__init__))  # called with the object first, it is what the bound method is


_MODULE_TYPE = type(sys)
_OF_MODULE: "Callable[[Any], dict[str, Any]]" = vars(_MODULE_TYPE)["__dict__"].__get__
_BINDING = (staticmethod, classmethod, METHOD)


def module(cls: type) -> "str | None":
    """What a class says of its module; None where it says nothing, or what is no string: Cython's functions give a descriptor.

    A class of code that has no module (`exec(text, {})`) says `builtins`, and one that is made for the program (`make_dataclass`,
    `types.new_class`) says `types`: it is of `NO_MODULE`.
    """
    try:
        found = _MODULE(cls)
    except AttributeError:
        return None
    if type(found) is not str:
        return None
    if found in _MAKERS and flags(cls) & HEAP_TYPE and vars(sys.modules.get(found, builtins)).get(name(cls)) is not cls:
        return NO_MODULE
    return found


def module_name(value: "Any") -> "Any":
    """The name of a module; where it has none of its own, as TensorFlow's stand-ins for Keras's modules, that of its class's module."""
    return own(value).get("__name__") or module(type(value))


def qualified(cls: type) -> str:
    """`module.qualname` of a class; `qualname` of one that says nothing of its module."""
    found = module(cls)
    return qualname(cls) if found is None else f"{found}.{qualname(cls)}"


def is_a(value: object, classes: "type | tuple[type, ...]") -> bool:
    """Whether the value is of one of these classes, whose metaclass is `type`, whatever it says of itself."""
    return issubclass(type(value), classes)


def is_just(value: object, *classes: type) -> bool:
    """Whether the value is of one of these classes and of none below: none is asked whether it is equal to another, or for its hash."""
    return any(type(value) is each for each in classes)


def plain_function(value: "Any") -> "Callable[..., Any] | None":
    """The Python function of what stands in a class or a module: of a property its getter, of a method what it binds; None of all else."""
    if is_a(value, property):
        value = value.fget
    value = bound(value)
    return value if type(value) is FUNCTION else None


def bound(value: "Any") -> "Any":
    """What a method, a static or a class method binds; any other value itself."""
    return value.__func__ if is_a(value, _BINDING) else value


def same(some: "Sequence[Any]", others: "Sequence[Any]") -> bool:
    """Whether two lists hold the same objects."""
    return len(some) == len(others) and all(map(is_, some, others))


def is_below(cls: type, base: object) -> bool:
    """Whether one class is another or stands below it: also where the other is abstract, and would ask for hashes to find out."""
    return any(each is base for each in mro(cls))


def with_subclasses(cls: "Any") -> "list[Any]":
    """A class, and those below it, each once, in no order; asks only Python's own class of classes, which runs nothing of the program's."""
    found: dict[int, Any] = {id(cls): cls}
    new = [cls]
    while new:
        new = [each for one in new for each in type.__subclasses__(one) if id(each) not in found]
        found.update((id(each), each) for each in new)
    return list(found.values())


def numbers(classes: "Iterable[type]") -> "frozenset[int]":
    """The ids of classes that live as long as the process: `id(cls) in numbers(…)` compares nothing else."""
    return frozenset(map(id, classes))


def by_number(table: "Mapping[Any, What]") -> "dict[int, What]":
    """{id(cls): what} of a table {cls: what} with classes that live as long as the process."""
    return {id(cls): what for cls, what in table.items()}


_kept: "list[Any]" = []


def keeping(container: "What") -> "What":
    """The same: one of ours in which classes stand under their ids, so that no other gets one of these. The program's are among them."""
    _kept.append(container)
    return container


def once(work: "Callable[[type], What]") -> "Callable[[type], What]":
    """The same, worked out once for each class for as long as its bases are what they were. It keeps the class: for those whose objects
    are walked, which are kept anyway."""
    known: dict[int, tuple[tuple[type, ...], What]] = keeping({})

    def told(cls: type) -> "What":
        found = known.get(id(cls))
        if found is None or found[0] is not mro(cls):  # Python makes another tuple where bases are set; it holds the class
            found = known[id(cls)] = mro(cls), work(cls)
        return found[1]

    return told


def let_go() -> None:
    """At the program's end. A class keeps its module's names, and a name what it stands for: an object that says something when it goes
    would not go."""
    for container in _kept:
        container.clear()


def own(value: object) -> "dict[str, Any]":
    """An object's `__dict__`, past what its class makes of that name; empty where it has none."""
    kind = type(value)
    return _OF_MODULE(value) if kind is _MODULE_TYPE else dictionary(kind)(value)  # there are thousands of modules


def file_of(module: object) -> "str | None":
    """The file that a module's own namespace names; None where it names none. What stands in for a module is asked for nothing: a
    program's `__getattr__` would run."""
    filename = own(module).get("__file__")
    return filename if type(filename) is str else None


def is_address_of(value: object, holder: object) -> bool:
    """Whether it is the number that `id` gives of the holder, another in each process: Keras notes it on what it exports."""
    return type(value) is int and value == id(holder)


def may_be_weak(value: object) -> bool:
    """Whether it can be referred to weakly for as long as it is there: a bound method goes at once, and is made when asked for."""
    cls = type(value)
    return _WEAK_OFFSET(cls) != 0 and cls is not METHOD  # below 0 from Python 3.12 on


def dictionary(cls: type) -> "Callable[[object], dict[str, Any]]":
    """A function that gives the `__dict__` of an object of this class."""
    if not dict_offset(cls):
        return _nothing
    named = next((namespace(base)["__dict__"] for base in mro(cls) if "__dict__" in namespace(base)), None)
    if is_just(named, *_DESCRIPTORS) and not any(map(_hides_its_dictionary, mro(cls))):
        return named.__get__  # type: ignore[no-any-return]
    unnamed = _unnamed()  # a class may answer the name `__dict__` in its own way, or be made in C and not at all: TensorFlow's graphs
    return lambda value: unnamed(value, None)


def _hides_its_dictionary(base: type) -> bool:
    """Whether a class made in C has one and no descriptor for it, which the descriptors of classes below it would ask: wrapt's proxies
    before wrapt 2, and so the dictionaries that TensorFlow 2.15 tracks."""
    return dict_offset(base) != 0 and not flags(base) & HEAP_TYPE and not any("__dict__" in namespace(each) for each in mro(base))


def _nothing(value: object) -> "dict[str, Any]":
    return {}


def _unnamed() -> "Any":
    if not _generic:
        import ctypes

        prototype = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object, ctypes.c_void_p)
        _generic.append(prototype(("PyObject_GenericGetDict", ctypes.pythonapi)))
    return _generic[0]


_generic: "list[Any]" = []  # the function, once it was asked for
