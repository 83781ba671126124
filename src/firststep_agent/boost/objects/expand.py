"""One value taken apart: a head (what it is, in one string) and its children (step, value), in a fixed order.

A step says how to get from the value to the child and can be taken again in another process (`paths`):
`.name` attribute, `#2` item, `@2` value of the third dictionary entry, `&2` its key, `cell name`, `global name`,
`import name`, `builtin name`, `default 1`, `kwdefault name`, `func`, `self`, `deref`, `base 0`, `class`, `python_function`, `captured 1`.
A head that begins with `!` is a value that cannot be digested; the rest of it says what it is.
"""

import types

from firststep_agent import kinds, ownership
from firststep_agent.boost.objects import special
from firststep_agent.boost.objects.attributes import own
from firststep_agent.boost.objects.leaves import LEAVES
from firststep_agent.boost.objects.parts import callables, containers, instances, modules, opaque, traced
from firststep_agent.boost.objects.reading import ModuleRead
from firststep_agent.boost.objects.special import NO_FILTER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from firststep_agent.boost.objects.reading import Reading
    from firststep_agent.boost.objects.special import Parts


def expand(value: "Any", reading: "Reading") -> "Parts":
    """(head, children, filter kind) of a value that is no leaf."""
    kind = type(value)
    handler = _HANDLERS.get(id(kind))
    if handler is None:
        handler = _HANDLERS[id(kind)] = _resolve(kind)
        _met.append(kind)
    try:
        return handler(value, reading)
    except (TypeError, AttributeError):
        if opaque.are_text(list(own(value))):
            raise
        return opaque.without_text(f"a `{kinds.qualname(kind)}`")


_met: "list[type]" = kinds.keeping([])  # the classes whose ids are in `_HANDLERS`, so that no other gets one of them

_HANDLERS: "dict[int, Callable[[Any, Reading], Parts]]" = kinds.by_number({
    types.FunctionType: callables.of_function,
    types.MethodType: callables.of_method,
    types.BuiltinFunctionType: callables.of_builtin_method,
    types.CellType: callables.of_cell,
    types.CodeType: callables.of_code,
    ModuleRead: modules.of_module_read,
    classmethod: callables.of_wrapper("__func__"),
    staticmethod: callables.of_wrapper("__func__"),
    property: callables.of_property,
    list: containers.of_sequence,
    tuple: containers.of_sequence,
    dict: containers.of_dict,
    types.MappingProxyType: containers.of_proxy,
    set: containers.of_set,
    frozenset: containers.of_set,
    slice: containers.of_slice,
    bytearray: lambda value, reading: ("bytearray " + LEAVES[id(bytes)](bytes(value)), (), NO_FILTER),
})

_CYTHONS = ("cython_function_or_method", "fused_cython_function")  # each version of Cython has its own module of them

_BY_NAME: "dict[str, Callable[[Any, Reading], Parts]]" = {
    "functools.partial": callables.of_partial,
    "functools._lru_cache_wrapper": callables.of_cached,
    "collections.deque": containers.of_deque,
    "collections.OrderedDict": containers.of_ordered,
    "collections.Counter": containers.of_dict,
    "collections._tuplegetter": lambda value, reading: (repr(value), (), NO_FILTER),
    "_collections._tuplegetter": lambda value, reading: (repr(value), (), NO_FILTER),
    "collections.defaultdict": containers.of_defaultdict,
    "tensorflow.python.trackable.data_structures._DictWrapper": containers.of_wrapt,
    "tensorflow.python.trackable.data_structures._TupleWrapper": containers.of_wrapt,
    "weakref.ReferenceType": containers.of_weak,
    "weakref.WeakMethod": containers.of_weak,
    "builtins.weakref": containers.of_weak,
    "tensorflow.python.eager.polymorphic_function.concrete_function.ConcreteFunction": traced.of_traced,
    "tensorflow.python.eager.polymorphic_function.monomorphic_function.ConcreteFunction": traced.of_traced,
    "tensorflow.python.saved_model.load._WrapperFunction": traced.of_traced,
    "types.SimpleNamespace": containers.of_namespace,
    "_io.TextIOWrapper": opaque.of_standard_stream,
    "ctypes.CDLL": opaque.of_library,
    "ctypes.PyDLL": opaque.of_library,
    "_thread.lock": opaque.of_lock,
    "_thread.RLock": opaque.of_lock,
}


def _resolve(kind: type) -> "Callable[[Any, Reading], Parts]":
    for base in kinds.mro(kind):
        named = _BY_NAME.get(kinds.qualified(base))
        if named is not None and (base is kind or named is containers.of_weak):
            return named
        if kinds.qualname(base) in _CYTHONS and instances.made_in_c(base):
            return callables.of_cython
        handler = special.handler(base)
        if handler is not None and ownership.is_user_class(kind):
            return opaque.opaque if special.runs_own_code(kind, base) else instances.with_own(handler)
        if handler is not None:
            return handler
    if ownership.is_ours_class(kind):
        return opaque.of_ours
    if issubclass(kind, property):
        return instances.with_own(callables.of_property)
    if issubclass(kind, type):
        return instances.of_class
    if issubclass(kind, types.ModuleType):
        return modules.of_module
    import enum

    if issubclass(kind, enum.Enum):
        return instances.of_enum
    if issubclass(kind, tuple) and "n_sequence_fields" in kinds.namespace(kind):
        return containers.of_structure
    if instances.is_plain(kind):
        return instances.of_instance
    return opaque.opaque
