"""What TensorFlow counts while it traces: messages that it says only so many times (`log_first_n`), by the line that asks for them, and
functions of which it has said, once, that they are deprecated.

A trace that is answered counts nothing. So the counts are moved as it moves them.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_MOST = 10  # decorators around one function


class Unfindable(Exception):
    """What a count is of cannot be found by its name in another process; says which."""


def now() -> "tuple[dict[Any, int], ...]":
    """A copy of each of the counters, empty where there are none yet."""
    return tuple(dict(held() or {}) for held in _HELD)


def restore(then: "tuple[dict[Any, int], ...]") -> None:
    """Puts all of them back to what `now` gave."""
    for held, counts in zip(_HELD, then):
        counted = held()
        if counted is not None:
            counted.clear()
            counted.update(counts)


def moved(before: "tuple[dict[Any, int], ...]", after: "tuple[dict[Any, int], ...]") -> "list[list[Any]]":
    """What was counted from one `now` to another, JSON-able: [[which counter, whose, count before or None, count after]]. Raises
    Unfindable."""
    return [[which, _TELL[which](key), then.get(key), count] for which, (then, counts) in enumerate(zip(before, after))
            for key, count in counts.items() if count != then.get(key)]


def stand_otherwise(told: "list[list[Any]] | None") -> bool:
    """Whether one of them is not where it was before the trace that moved it: it may say another thing here."""
    try:
        return any((_HELD[which]() or {}).get(_FIND[which](whose)) != before for which, whose, before, _ in told or ())
    except Unfindable:
        return True


def move(told: "list[list[Any]] | None") -> None:
    """Moves the counters as the trace did."""
    for which, whose, _, after in told or ():
        _HELD[which]()[_FIND[which](whose)] = after


def move_back(told: "list[list[Any]] | None") -> None:
    """Undoes `move`."""
    for which, whose, before, _ in told or ():
        counted, key = _HELD[which](), _FIND[which](whose)
        if before is None:
            counted.pop(key, None)
        else:
            counted[key] = before


def _messages() -> "Any":
    """{(file, line) of who asks: count}."""
    return getattr(sys.modules.get("tensorflow.python.platform.tf_logging"), "_log_counter_per_token", None)


def _deprecated() -> "Any":
    """{a function, a class, or (function, argument): True}."""
    return getattr(sys.modules.get("tensorflow.python.util.deprecation"), "_PRINTED_WARNING", None)


def _tell_line(key: "tuple[str, int]") -> "list[Any]":
    file, line = key
    if type(file) is not str or type(line) is not int:  # somebody counts otherwise
        raise Unfindable(repr(key))
    return [file, line]


def _find_line(told: "list[Any]") -> "tuple[str, int]":
    file, line = told
    return file, line


def _tell_function(key: "Any") -> "list[Any]":
    """[module, name, how many decorators are around it, argument or None]."""
    function, argument = key if type(key) is tuple else (key, None)
    module, name = function.__module__, function.__qualname__
    for depth, found in enumerate(_layers(module, name)):
        if found is function:
            return [module, name, depth, argument]
    raise Unfindable(f"{module}.{name}")


def _find_function(told: "list[Any]") -> "Any":
    module, name, depth, argument = told
    found = _layers(module, name)
    if depth >= len(found):
        raise Unfindable(f"{module}.{name}")
    return found[depth] if argument is None else (found[depth], argument)


def _layers(module: str, name: str) -> "list[Any]":
    """What is to be found under this name, and what it is wrapped around, from the outside in."""
    found = sys.modules.get(module)
    for step in name.split("."):
        found = getattr(found, step, None)
    layers: list[Any] = []
    while found is not None and len(layers) < _MOST:
        layers.append(found)
        found = getattr(found, "__wrapped__", None)
    return layers


_HELD: "tuple[Callable[[], Any], ...]" = (_messages, _deprecated)
_TELL: "tuple[Callable[[Any], Any], ...]" = (_tell_line, _tell_function)
_FIND: "tuple[Callable[[Any], Any], ...]" = (_find_line, _find_function)
