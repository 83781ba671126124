"""`tf.function`s called from the traced one. One that was traced before is not traced again: what it gives was decided
then. That is sound only where everything it reads is now as it was after that trace.
"""

import weakref

from .expand import Reading
from .refusal import Refused
from .walk import walk

_traced = weakref.WeakKeyDictionary()  # Function -> (names that counted, digest of what it read, the code that ran)


def is_function(value):
    """True for TensorFlow's `Function` objects."""
    return type(value).__name__ in ("Function", "RestoredFunction") and hasattr(value, "_python_function")


def was_traced(function):
    """True where it holds concrete functions already."""
    try:
        return function.experimental_get_tracing_count() > 0
    except Exception:
        return True


def stale(functions):
    """The first of the functions that was traced before in a state that may have been another, or None."""
    for function in functions:
        if was_traced(function):
            known = _traced.get(function)
            if known is None or _digest(function, known[0]) != known[1]:
                return function
    return None


def codes(functions):
    """The code that ran when these functions were traced before: what it read counts for whoever uses them now."""
    found = {}
    for function in functions:
        known = _traced.get(function)
        if known is not None:
            found.update((id(code), code) for code in known[2])
    return list(found.values())


def remember(functions, names, ran):
    """Notes in which state these functions stand right after the trace that called them, and the code that `ran` in it."""
    for function in functions:
        if was_traced(function):
            try:
                _traced[function] = (names, _digest(function, names), ran)
            except TypeError:
                pass  # cannot be referred to weakly: it stays unknown


def refusal(function):
    """What to raise for a stale one."""
    inner = getattr(function, "_name", None) or "a tf.function"
    return Refused(f"it calls `{inner}`, a tf.function that was traced before, and firststep cannot tell that nothing has changed since")


def _digest(function, names):
    return walk([("function", function._python_function)], Reading(names)).digest()
