"""Whose an exception is that reaches code of ours: a handler of a signal may raise in the middle of it.

Python runs handlers between two instructions of whatever the main thread executes, our callbacks included. What such a
handler raises is the program's, of whatever class it is, and goes where the program expects it: every `except` of ours that
could take it asks here first. An exception's traceback shows the handler: a frame that was given the one it interrupted.
"""

from sys import _getframe, modules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType
    from typing import Any

VARARGS = 4  # a flag of a code object


class _Tried:
    def method(self) -> None:
        pass


FUNCTION: "Any" = type(_Tried.method)  # `types` has them, too, but may be a file of the program's
METHOD: "Any" = type(_Tried().method)


def is_theirs(error: "BaseException") -> bool:
    """Whether a signal's handler raised `error`, or it is none that code of ours could cause."""
    if not isinstance(error, Exception):
        return True
    step = error.__traceback__
    handlers, caller = None, _getframe(1)
    while step is not None:
        frame = step.tb_frame
        if frame.f_back is not None and frame is not caller:  # whose variables, once they are asked for, would hold the error, and it them
            if handlers is None:
                handlers = _handlers()
            if frame.f_code in handlers or _was_given(frame, frame.f_back):
                return True
        step = step.tb_next
    return False


def _was_given(frame: "FrameType", interrupted: "FrameType") -> bool:
    """Whether two arguments that follow one another are a number and that frame: what Python calls a handler with."""
    code = frame.f_code
    if code.co_argcount < 2 and not code.co_flags & VARARGS:
        return False
    values = frame.f_locals
    given = [values.get(name) for name in code.co_varnames[:code.co_argcount]]
    if code.co_flags & VARARGS:
        given += values.get(code.co_varnames[code.co_argcount + code.co_kwonlyargcount]) or ()
    return any(isinstance(number, int) and one is interrupted for number, one in zip(given, given[1:]))


def _handlers() -> "set[CodeType]":
    """The code of the handlers that are installed."""
    import _signal  # type: ignore[import-not-found]

    found = set()
    partial = getattr(modules.get("_functools"), "partial", None)  # an import might come here once more
    for handler in map(_signal.getsignal, _signal.valid_signals()):
        if handler is None or type(handler) is int:  # not Python's, or none
            continue
        ways: list[Any] = [handler, vars(type(handler)).get("__call__")]
        if partial is not None and issubclass(type(handler), partial):
            ways.append(handler.func)
        for one in ways:
            plain = one.__func__ if type(one) is METHOD else one
            if type(plain) is FUNCTION:
                found.add(plain.__code__)
    return found
