"""What a `threading.local` holds for the thread that asks.

Who asks one for the first time in a thread has its class's `__init__` called there: that may be the program's. So such a local is asked
only where the thread has asked it before. CPython notes that among what it keeps for the thread, by the local's address, up to 3.12; from
3.13 on in the local itself, by an object of the thread's.
"""

import functools
import sys
import threading
from gc import get_referents

from firststep_agent import kinds, ownership

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def held(value: "Any") -> "dict[str, Any]":
    """Its attributes in this thread; none where it would have to call code of the program for them."""
    if _runs_programs_code(type(value)) and not _has_asked(value):
        return {}
    attributes: dict[str, Any] = threading.local.__getattribute__(value, "__dict__")
    return attributes


def _runs_programs_code(cls: type) -> bool:
    for one in kinds.mro(cls):
        made = kinds.namespace(one).get("__init__")
        if made is not None:
            return type(made) is not type(object.__init__) and ownership.is_user_class(one)
    return False


def _has_asked(value: "Any") -> bool:
    if sys.version_info < (3, 13):
        return f"thread.local.{id(value):#x}" in _kept_for_this_thread()
    asked = threading.local()
    vars(asked)
    (thread,) = (key for notes in _notes(asked) for key in notes)
    return any(thread in notes for notes in _notes(value))


def _notes(value: "Any") -> "list[dict[Any, Any]]":
    return [one for one in get_referents(value) if type(one) is dict]


def _kept_for_this_thread() -> "dict[str, Any]":
    import ctypes

    address = _function()()  # None where nothing is kept
    return {} if address is None else ctypes.cast(address, ctypes.py_object).value


@functools.lru_cache(maxsize=1)
def _function() -> "Callable[[], int | None]":
    import ctypes

    return ctypes.PYFUNCTYPE(ctypes.c_void_p)(("PyThreadState_GetDict", ctypes.pythonapi))
