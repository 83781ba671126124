"""What runs, as `sys.monitoring` tells it from Python 3.12 on, in one thread.

Python's own profiler loses functions there: it takes one for left whenever a native method of pybind11's returns, of which TensorFlow
has many (the call names the bound method, its end the function below), and the functions of all threads for those of one.

Every event is a call of Python's. So whom the frameworks' own code calls in C is told once for each place and then no more, and a
pause takes the callbacks away: the events stay on, since to turn them off and on has the interpreter go through the code of every
function anew.
"""

import sys
import types
from _thread import get_ident

from firststep_agent import kinds
from firststep_agent.boost.cache_functions.reads.calls import native_calls_matter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_monitoring: "Any" = sys.monitoring  # type: ignore[attr-defined]  # only there from Python 3.12 on
_NAME = "firststep"
_METHOD, _NATIVE, _DESCRIPTOR = types.MethodType, types.BuiltinFunctionType, types.MethodDescriptorType
_PLACES = 5, 4, 3  # of sys.monitoring's six: those that no debugger, coverage or profiler takes
_BEGINNINGS = "'_lsprof.Profiler' objects", "monitoring.use_tool_id"  # in whose description a program begins to look
_PYTHONS = kinds.numbers((_NATIVE, _DESCRIPTOR, types.ClassMethodDescriptorType))  # whose words are no code of the program's


class ByMonitoring:
    """Looks from the moment it is made. Raises ValueError where a profiler looks already, or there is no place left."""

    def __init__(self) -> None:
        self._begun: dict[int, types.CodeType] = {}  # by their ids
        self._called: dict[tuple[int, int], tuple[types.CodeType, types.CodeType]] = {}  # (id of the caller's code, id of the code) -> both
        self._native: dict[tuple[int, int, str, str | None], tuple[types.CodeType, type, str]] = {}
        # (id of the caller's code, id of whose it is, name, module) -> (the caller's code, whose, description)
        self._pauses = 0
        self._others = _tools()
        self._tool = _free_place(self._others)
        _monitoring.use_tool_id(self._tool, _NAME)
        events = _monitoring.events
        begins, calls = self._callbacks(get_ident())
        self._of = {events.PY_START: begins, events.PY_RESUME: begins, events.PY_THROW: begins, events.CALL: calls}
        self._listen()
        _monitoring.set_events(self._tool, sum(self._of))

    def _callbacks(self, thread: int) -> "tuple[Callable[..., Any], Callable[..., Any]]":
        # They keep no object of the program's, nor run its code: classes go by their ids.
        begun, called, native = self._begun, self._called, self._native
        frame_of, missing, no_more = sys._getframe, _monitoring.MISSING, _monitoring.DISABLE

        def begins(code, offset, error=None):
            if get_ident() != thread:
                return
            begun[id(code)] = code
            frame = frame_of(1).f_back
            if frame is not None:
                caller = frame.f_code
                called[id(caller), id(code)] = caller, code

        def calls(code, offset, function, first):
            if not native_calls_matter(code.co_filename):
                return no_more
            kind = type(function)
            if kind is kinds.FUNCTION or get_ident() != thread:
                return None
            if kind is _METHOD:
                function, first = function.__func__, function.__self__
                kind = type(function)
            if kind is _DESCRIPTOR and first is not missing:
                of, module = type(first), None
            elif issubclass(kind, _NATIVE):
                of, module = type(function.__self__), function.__module__
                module = module if type(module) is str else None
            else:
                return None
            key = id(code), id(of), function.__name__, module
            if key not in native:
                native[key] = code, of, _described(of, function.__name__, module)
            return None

        return begins, calls

    def _listen(self) -> None:
        for event, callback in self._of.items():
            _monitoring.register_callback(self._tool, event, callback)

    def _stop_listening(self) -> None:
        for event in self._of:
            _monitoring.register_callback(self._tool, event, None)

    def is_there(self) -> bool:
        """False where the program has begun to look as well meanwhile."""
        begun = any(whose in description for *_, description in self._native.values() for whose in _BEGINNINGS)
        return not begun and _tools() == {**self._others, self._tool: _NAME}

    def pause(self) -> None:
        """Until `go_on`; pauses may nest."""
        self._pauses += 1
        if self._pauses == 1:
            self._stop_listening()

    def go_on(self) -> None:
        """Ends the last pause."""
        self._pauses -= 1
        if not self._pauses:
            self._listen()

    def end(self) -> "tuple[list[types.CodeType], dict[int, list[types.CodeType | str]], dict[str, list[types.CodeType]]]":
        """What was seen, as `Executed` tells it."""
        self._stop_listening()
        _monitoring.set_events(self._tool, 0)
        _monitoring.free_tool_id(self._tool)
        _monitoring.restart_events()  # what was told no more would be told to the next profiler neither
        calls: dict[int, list[types.CodeType | str]] = {}
        for caller, code in self._called.values():
            if id(caller) in self._begun:
                calls.setdefault(id(caller), []).append(code)
        for caller, _, description in self._native.values():
            if id(caller) in self._begun:
                calls.setdefault(id(caller), []).append(description)
        return list(self._begun.values()), calls, {}  # there the nearest code of Python's counts as the caller


def _tools() -> "dict[int, str]":
    """{place: name} of all who look."""
    return {place: name for place in range(6) if (name := _monitoring.get_tool(place)) is not None}


def _free_place(taken: "dict[int, str]") -> int:
    """Not the profiler's: the program may want to profile what is watched, or another thread of it something else. Raises ValueError."""
    for place in _PLACES if _monitoring.PROFILER_ID not in taken else ():
        if place not in taken:
            return place
    raise ValueError("there is no place")


def _described(of: type, name: str, module: "str | None") -> str:
    """In the words of Python's profiler. of: the class of what a method was called on, of a function's module."""
    for base in kinds.mro(of):
        found = kinds.namespace(base).get(name)
        if id(type(found)) in _PYTHONS:
            return repr(found)
    return f"<built-in method {name}>" if module is None else f"<built-in method {module}.{name}>"
