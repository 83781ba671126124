"""Addresses in texts: in the copy that traces a second time where a function is learned, each object tells of another than it has.

An address is another in each start. A trace that takes no more than an order or a bit of one from a text (`sorted(objects, key=str)`) may
agree by chance in two starts. Here it comes out otherwise at once.
"""

import ctypes
import functools
import re
import types
import weakref

from firststep_agent import kinds
from firststep_agent.boost.cache_functions.proof import raw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_TELLING = (  # classes whose own texts name addresses
    object, types.FunctionType, types.BuiltinFunctionType, types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType,
    types.CodeType, types.FrameType, types.CellType, types.MethodWrapperType, weakref.ref, memoryview)
_IN_CLASS = 11  # the word of `PyTypeObject` in which what tells of an object stands (`tp_repr`, Include/cpython/object.h)
_IN_WRAPPER = 6  # the word of `object.__repr__` and the like (`PyWrapperDescrObject.d_wrapped`, Include/cpython/descrobject.h)
_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b")
_TURNED = 0xFFFFFFFFF0  # bits: among addresses that lie near each other the order is the other way round
_kept: "list[Any]" = []  # what is called by C


def disguise() -> None:
    """From here on, in this process."""
    called = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)
    tells = set(raw.words([place + _IN_CLASS for place in raw.places(_TELLING)]))
    others = {address: called(functools.partial(_told, called(address))) for address in tells}
    _kept.extend(others.values())
    wrappers = [wrapper for wrapper in (vars(kind).get("__repr__") for kind in _TELLING) if type(wrapper) is types.WrapperDescriptorType]
    words = [place + _IN_CLASS for place in raw.places(kinds.with_subclasses(object))]
    words += [place + _IN_WRAPPER for place in raw.places(wrappers)]
    for word, address in zip(words, raw.words(words)):
        if address in others:
            ctypes.c_void_p.from_address(word * raw.WORD).value = ctypes.cast(others[address], ctypes.c_void_p).value


def _told(tell: "Any", value: "Any") -> str:
    return _ADDRESS.sub(lambda found: hex(int(found[0], 16) ^ _TURNED), tell(value))
