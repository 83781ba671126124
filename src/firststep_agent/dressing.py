"""Functions of ours in the place of functions of C, which have no frame."""

from firststep_agent.imports import FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

_AGENT = __name__.partition(".")[0]


def stand_in_c(original: "Any", function: "Any") -> "Any":
    """`function`, dressed as the function of C that it calls; `warnings` does not count its frame."""
    code = function.__code__.replace(co_filename=FILE, co_name=original.__name__)
    dressed = type(function)(code, function.__globals__, original.__name__, function.__defaults__, function.__closure__)
    dressed.__qualname__, dressed.__doc__ = original.__qualname__, original.__doc__
    dressed.__module__ = getattr(original, "__module__", None)  # a method of C has none
    dressed.__wrapped__ = original
    dressed.autograph_info__ = {}  # AutoGraph is to call it, as it calls a function of C, and not to look for its source
    return dressed


def leave_no_frame(error: "BaseException") -> None:
    """Takes the caller's frame, and those of ours below it, out of the traceback.

    Called between `except BaseException as error` and a bare `raise`; before Python 3.11 that puts the caller's back.
    """
    leave_not_mine(error)
    step = error.__traceback__
    while step is not None and is_ours(step.tb_frame):
        step = step.tb_next
    error.__traceback__ = step


def is_ours(frame: "FrameType") -> bool:
    """Disguised ones, too."""
    name = dict.get(frame.f_globals, "__name__")  # a program may run code in a dict of its own kind
    return type(name) is str and name.partition(".")[0] == _AGENT


def leave_not_mine(error: "BaseException") -> None:
    """Takes the caller's frame alone out of it: the one below stands where one of Python's does plainly."""
    error.__traceback__ = error.__traceback__.tb_next
