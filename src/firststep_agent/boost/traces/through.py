"""Whether code of the program's has a hand in saying something: a formatter, a filter, a stream, a hook of its own.

Such code finds, while a trace goes on, what the trace has done by then, and a replay says everything at once. What Python and libraries
make of what they are given does not depend on that.
"""

import functools
import io
import sys
import types
import warnings

from firststep_agent import kinds, ownership
from firststep_agent.boost.objects.attributes import attributes
from firststep_agent.boost.traces import outlets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

_DEEP = 4  # steps from what says it: a handler, its formatter, the style in that
_MOST = 5000  # objects
_STREAMS = kinds.numbers((io.TextIOWrapper, io.BufferedWriter, io.BufferedRandom, io.StringIO))
_OF_LOGGERS = ("parent", "manager")  # attributes that lead to loggers which have no part in it
_CONTAINERS = kinds.numbers((list, tuple, set, frozenset))


def programs_code(said: "Iterable[Sequence[Any]]") -> "str | None":
    """What has, in words, or None. said: as `speech.Speech` keeps it."""
    todo = [(value, 0) for kind, *what in said for value in _BEGINS[kind](*what)]
    met = set()
    for value, depth in todo:
        if id(value) in met:
            continue
        met.add(id(value))
        name = _of_the_program(value)
        if name is not None:
            return f"`{name}` of the program's"
        if len(met) > _MOST:
            return "more than can be looked through"
        if depth < _DEEP:
            todo.extend((child, depth + 1) for child in _within(value))
    return None


def _of_text(names: str, text: str) -> "list[Any]":
    return [outlets.of_names(names)]


def _of_warning(module: str, name: str, *rest: "Any") -> "list[Any]":
    category = kinds.own(sys.modules.get(module)).get(name)
    return [sys.stderr, warnings.showwarning, warnings.formatwarning, *([category] if _has_words_of_its_own(category) else ()),
            *(_of_log("py.warnings") if getattr(warnings.showwarning, "__module__", None) == "logging" else ())]


def _has_words_of_its_own(category: "Any") -> bool:
    return kinds.is_a(category, type) and any(
        ownership.is_programs(kinds.module(base)) and not _WORDS.isdisjoint(kinds.namespace(base)) for base in kinds.mro(category))


_WORDS = frozenset(("__init__", "__new__", "__str__", "__getattribute__"))


def _of_log(name: str, *rest: "Any") -> "list[Any]":
    import logging

    logger = logging.getLogger(None if name == "root" else name)
    found = [logging.getLogRecordFactory(), logging.lastResort, logger]
    while logger.propagate and logger.parent is not None:
        logger = logger.parent
        found.append(logger)
    return found


_BEGINS: "dict[str, Callable[..., list[Any]]]" = {"text": _of_text, "warning": _of_warning, "log": _of_log}


def _of_the_program(value: "Any") -> "str | None":
    """The name of a function or class of the program's that it is, or that its class takes its methods from."""
    cls = type(value)
    if cls is types.FunctionType:
        return value.__qualname__ if ownership.is_programs_function(value) else None
    if kinds.is_a(value, type):
        return kinds.qualname(value) if ownership.is_programs(kinds.module(value)) else None
    for base in kinds.mro(cls):
        if ownership.is_programs(kinds.module(base)):
            return kinds.qualname(base)
        for held in kinds.namespace(base).values():
            if type(held) is types.FunctionType and ownership.is_programs_function(held):
                return held.__qualname__
    return None


def _within(value: "Any") -> "list[Any]":
    """What a value holds that it may call."""
    cls = type(value)
    if cls is types.ModuleType or kinds.is_a(value, type):
        return []
    if id(cls) in _CONTAINERS:
        return list(value)
    if cls is dict:
        return list(value.values())
    if cls is types.MethodType:
        return [value.__func__, value.__self__]
    if cls is functools.partial:
        return [value.func, *value.args, *value.keywords.values()]
    if cls is types.FunctionType:
        return [cell.cell_contents for cell in value.__closure__ or () if _is_filled(cell)] + list(vars(value).values())
    held = [one for name, one in attributes(value, cls) if name not in _OF_LOGGERS]
    if id(cls) in _STREAMS:
        held += [getattr(value, name) for name in ("buffer", "raw") if hasattr(cls, name)]
    return held


def _is_filled(cell: "types.CellType") -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:  # not yet assigned
        return False
