"""Python's functions for files, processes and clocks as they were when the agent came.

What a program puts in their place later (`mock.patch("os.scandir")`, a clock that stands still) it calls itself, and counts the calls: the
agent calls none of it. These are copies of the modules, whose functions find each other, and no replaced one.
"""

import genericpath
import os as os
import posixpath
import time as time
from io import open as open

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

_FUNCTION: "Any" = type(lambda: None)
_MODULE = type(os)


def _copies(*modules: "ModuleType") -> "list[ModuleType]":
    made = [_MODULE(module.__name__) for module in modules]
    new: dict[int, Any] = {id(module): copy for module, copy in zip(modules, made)}
    for module, copy in zip(modules, made):
        for value in vars(module).values():
            if type(value) is _FUNCTION and value.__globals__ is vars(module):
                new[id(value)] = _within(vars(copy), value)
    for module, copy in zip(modules, made):
        vars(copy).update((name, new.get(id(value), value)) for name, value in vars(module).items())
    return made


def _within(scope: "dict[str, Any]", function: "Any") -> "Any":
    """The function, which looks for others there."""
    made = _FUNCTION(function.__code__, scope, function.__name__, function.__defaults__, function.__closure__)
    made.__kwdefaults__ = function.__kwdefaults__
    return made


FOUND_NS = time.time_ns()  # by the clock that files have

if not TYPE_CHECKING:
    _, _, os, time = _copies(genericpath, posixpath, os, time)
