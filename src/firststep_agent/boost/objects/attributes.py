"""What hangs on an object itself: its `__dict__`, its slots, and what a class made in C keeps without a name for it."""

import functools
import types

from firststep_agent import kinds, ownership


def attributes(value, cls):
    """(name, value) of an object's own attributes, those in slots as well."""
    known = _of_classes.get(id(cls))
    if known is None:
        known = _of_classes[id(cls)] = cls, _dictionary(cls), _slots(cls)
    _, dictionary, slots = known
    own = dictionary(value)
    return own.items() if not slots else [*own.items(), *_slotted(value, slots)]


def own(value):
    """An object's `__dict__`, past what its class makes of that name; empty where it has none."""
    return _dictionary(type(value))(value)


def held(value, name):
    """An attribute, or None: of an object of a class of the program's one that hangs on itself, so that the class is not asked."""
    return own(value).get(name) if ownership.is_user_class(type(value)) else getattr(value, name, None)


_of_classes: dict = {}  # id of a class -> (the class, so that no other gets its id; its objects' dictionary; its slots)


def _dictionary(cls):
    """A function that gives the `__dict__` of an object of this class."""
    if not _DICT_OFFSET(cls):
        return _nothing
    named = next((kinds.namespace(base)["__dict__"] for base in kinds.mro(cls) if "__dict__" in kinds.namespace(base)), None)
    if type(named) in (types.GetSetDescriptorType, types.MemberDescriptorType):
        return named.__get__
    unnamed = _unnamed()  # a class may answer the name `__dict__` in its own way, or be made in C and not at all: TensorFlow's graphs
    return lambda value: unnamed(value, None)


_DICT_OFFSET = type.__dict__["__dictoffset__"].__get__


def _nothing(value):
    return {}


@functools.lru_cache(maxsize=1)
def _unnamed():
    import ctypes

    prototype = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object, ctypes.c_void_p)
    return prototype(("PyObject_GenericGetDict", ctypes.pythonapi))


def _slotted(value, slots):
    for slot, descriptor in slots:
        try:
            yield slot, descriptor.__get__(value)
        except AttributeError:
            pass


def _slots(cls):
    return tuple((name, descriptor) for base in kinds.mro(cls) if base is not type and base is not types.FunctionType
                 for name, descriptor in kinds.namespace(base).items() if type(descriptor) is types.MemberDescriptorType)
