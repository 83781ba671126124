"""Functions that stand in for a framework's own, and look like them to everything that looks.

Such a function keeps its original's name, module, signature and `__wrapped__` (AutoGraph and Keras decide by these), is
passed over by the stack levels of `warnings`, and, from Python 3.11 on, leaves no line of its own in tracebacks.
"""

from functools import update_wrapper

from firststep_agent.dressing import leave_no_frame
from firststep_agent.imports import FILE

__all__ = ["attribute", "leave_no_frame", "stand_in"]


def stand_in(original, function):
    """`function`, dressed as `original`, which it calls."""
    code = function.__code__.replace(co_filename=FILE)
    dressed = type(function)(code, function.__globals__, function.__name__, function.__defaults__,
                           function.__closure__)
    dressed.__kwdefaults__ = function.__kwdefaults__
    return update_wrapper(dressed, original)


def attribute(owner, name):
    """What `owner` itself or a base of it has under `name`, unbound; None where there is nothing."""
    for one in getattr(owner, "__mro__", (owner,)):
        if name in vars(one):
            return vars(one)[name]
    return None
