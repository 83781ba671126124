"""What hangs on an object itself: its `__dict__`, its slots, and what a class made in C keeps without a name for it."""

import functools
import types


def attributes(value, cls):
    """(name, value) of an object's own attributes, those in slots as well."""
    try:
        own = object.__getattribute__(value, "__dict__")  # a class may answer the name `__dict__` in its own way
    except AttributeError:
        own = _unnamed()(value, None) if cls.__dictoffset__ else {}
    slots = _slots(cls)
    return own.items() if not slots else [*own.items(), *_slotted(value, slots)]


@functools.lru_cache(maxsize=1)
def _unnamed():
    """A function that gives the attributes of an object whose class was made in C and has no `__dict__` to ask for: TensorFlow's graphs."""
    import ctypes

    prototype = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object, ctypes.c_void_p)
    return prototype(("PyObject_GenericGetDict", ctypes.pythonapi))


def _slotted(value, slots):
    for slot in slots:
        try:
            yield slot, object.__getattribute__(value, slot)
        except AttributeError:
            pass


_slots_of: dict = {}


def _slots(cls):
    found = _slots_of.get(cls)
    if found is None:
        found = []
        for base in cls.__mro__:
            for name, descriptor in base.__dict__.items():
                if type(descriptor) is types.MemberDescriptorType and base not in (type, types.FunctionType):
                    found.append(name)
        found = _slots_of[cls] = tuple(found)
    return found
