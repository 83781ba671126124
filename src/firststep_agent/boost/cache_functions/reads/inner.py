"""`tf.function`s called from the traced one. One that was traced before is not traced again: what it gives was decided
then. That is sound only where everything it reads is now as it was after that trace.
"""

import weakref

from firststep_agent import kinds
from firststep_agent.boost.cache_functions.reads import places, whole
from firststep_agent.boost.objects import roots
from firststep_agent.boost.objects.reading import Reading
from firststep_agent.boost.objects.refusal import Refused
from firststep_agent.boost.objects.walk import walk
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import CodeType
    from typing import Any

    from firststep_agent.boost.cache_functions.reads.names import Names

# Python function -> (names that counted, digest of what it read, the code that ran), right after it was traced or replayed
_traced: "weakref.WeakKeyDictionary[Any, tuple[Names, str, Sequence[CodeType]]]" = weakref.WeakKeyDictionary()


def is_function(value: "Any") -> bool:
    """True for TensorFlow's `Function` objects. A SavedModel's are none of them: they give the graphs they were saved with, which count."""
    return kinds.name(type(value)) == "Function" and hasattr(value, "_python_function")


def was_traced(function: "Any") -> bool:
    """True where it holds concrete functions already."""
    try:
        return function.experimental_get_tracing_count() > 0  # type: ignore[no-any-return]
    except Exception as error:
        if is_theirs(error):
            raise
        return True


def stale(functions: "Iterable[Any]", python_function: "Any") -> "Any":
    """The first of the functions that was traced before in a state that may have been another, or None.

    The traced function itself, which its owner often holds as well, is none of them.
    """
    own = roots.undecorated(python_function)
    for function in functions:
        if _key(function) is not own and was_traced(function) and may_have_changed(function._python_function):
            return function
    return None


def may_have_changed(python_function: "Any") -> bool:
    """Whether what a `tf.function` of it read, when it was traced, could be another now."""
    known = _known(python_function)
    return known is None or state(python_function, known[0]) != known[1]


def codes(functions: "Iterable[Any]") -> "list[CodeType]":
    """The code that ran when these functions were traced before: what it read counts for whoever uses them now."""
    found = {}
    for function in functions:
        for code in (_known(function._python_function) or ((), (), ()))[2]:
            found[id(code)] = code
    return list(found.values())


def remember(functions: "Iterable[Any]", python_function: "Any", names: "Names", ran: "list[CodeType]") -> None:
    """Notes in which state the traced function and those that it called stand right after the trace, and the code that `ran`."""
    _note(roots.undecorated(python_function), python_function, names, ran)
    for function in functions:
        if was_traced(function):
            _note(_key(function), function._python_function, names, ran)


def remember_replayed(python_function: "Any", names: "Names", digest: str) -> None:
    """Notes the state in which a stored trace was found to hold."""
    try:
        _traced[roots.undecorated(python_function)] = (names, digest, ())
    except TypeError:
        pass


def _note(key: "Any", python_function: "Any", names: "Names", ran: "list[CodeType]") -> None:
    try:
        _traced[key] = (names, state(python_function, names), ran)
    except TypeError:
        pass  # a bound method cannot be referred to weakly: it stays unknown


def _known(python_function: "Any") -> "tuple[Names, str, Sequence[CodeType]] | None":
    try:
        return _traced.get(roots.undecorated(python_function))
    except TypeError:
        return None


def _key(function: "Any") -> "Any":
    return roots.undecorated(function._python_function)


def refusal(function: "Any") -> "Refused":
    """What to raise for a stale one."""
    inner = getattr(function, "_name", None) or "a tf.function"
    return Refused(f"it calls `{inner}`, a tf.function that was traced before, and firststep cannot tell that nothing has changed since")


def state(python_function: "Any", names: "Names", left_out: "frozenset[tuple[int, str]]" = frozenset()) -> str:
    """A digest of what counts of what it reaches, as it is now. left_out: {(id of an object, step of `places`)}."""
    reading = Reading(names)
    found = walk(roots.roots(python_function), reading, places.without(left_out, reading) if left_out else None).digest()
    return f"{found} {sorted(whole.Whole(python_function).parts.items())}" if names.anywhere else found
