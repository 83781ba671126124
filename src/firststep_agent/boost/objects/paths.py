"""Steps from the traced callable to an object, and the way back in another process.

A path is a list of strings, the first one `function` or `arguments`, the rest steps as in `expand`.
"""

import builtins
import collections
import functools
import sys
import weakref

from firststep_agent import kinds
from firststep_agent.boost.objects import roots
from firststep_agent.boost.objects.attributes import own
from firststep_agent.boost.objects.expand import expand
from firststep_agent.boost.objects.parts.containers import entries, referred
from firststep_agent.boost.objects.parts.traced import captured
from firststep_agent.boost.objects.reading import Reading
from firststep_agent.boost.objects.walk import walk
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


class Paths:
    """Paths of everything below one callable, from one walk."""

    def __init__(self, python_function: "Any") -> None:
        self._walk = walk(roots.roots(python_function), Reading())

    def of(self, value: "Any") -> "list[str] | None":
        """The shortest path to `value`, or None where the walk does not meet it."""
        number = self._walk.numbers.get(id(value))
        if number is None or self._walk.objects[number] is not value:
            return None
        return self._walk.path(number)


class Finder:
    """Finds paths from one callable. It keeps its last walk, and so all that was met: captures are asked for one after the other; a build
    may come between. It is to live no longer than the look at one trace."""

    def __init__(self, python_function: "Any") -> None:
        self._function = python_function
        self._last: Paths | None = None

    def path(self, value: "Any") -> "list[str] | None":
        """The path to `value` from the callable or its arguments, None where there is none."""
        path = None if self._last is None else self._last.of(value)
        if path is None or not _leads_to(self._function, path, value):
            self._last = Paths(self._function)
            path = self._last.of(value)
        return path


def resolve(python_function: "Any", path: "Sequence[str]") -> "Any":
    """The object at a path; raises LookupError where a step cannot be taken."""
    value = dict(roots.roots(python_function))[path[0]]
    for step in path[1:]:
        value = _take(value, step)
    return value


def leading_to(python_function: "Any", path: "Sequence[str]") -> "Callable[[], Any]":
    """A function that gives the object at a path again, and None once it has gone: it keeps the last object on the way weakly that can be
    kept so."""
    value = dict(roots.roots(python_function))[path[0]]
    way = [(value, path[1:])]
    for at, step in enumerate(path[1:], 2):
        value = _take(value, step)
        way.append((value, path[at:]))
    for held, steps in reversed(way):
        if kinds.may_be_weak(held):
            return functools.partial(_from, weakref.ref(held), steps)
    return lambda: value


def _from(reference: "Callable[[], Any]", steps: "Sequence[str]") -> "Any":
    value = reference()
    try:
        for step in steps if value is not None else ():
            value = _take(value, step)
    except LookupError:
        return None
    return value


def _leads_to(python_function: "Any", path: "Sequence[str]", value: "Any") -> bool:
    try:
        return resolve(python_function, path) is value
    except LookupError:
        return False


def _take(value: "Any", step: str) -> "Any":
    try:
        if step[0] == ".":
            return _attribute(value, step[1:].lstrip(".") if step[1:2] == "." else step[1:])
        if step[0] == "#":
            return _item(value, int(step[1:]))
        if step[0] == "@":
            return _entries(value)[int(step[1:])][1]
        if step[0] == "&":
            return _entries(value)[int(step[1:])][0]
        word, _, name = step.partition(" ")
        return _WORDS[word](value, name)
    except LookupError:
        raise
    except Exception as error:
        if is_theirs(error):
            raise
        raise LookupError(f"{step} of a {type(value).__name__}: {error!r}") from error


def _attribute(value: "Any", name: str) -> "Any":
    if kinds.is_a(value, type):
        return kinds.namespace(value)[name]
    held = own(value)
    if name in held:
        return held[name]
    return object.__getattribute__(value, name)


def _item(value: "Any", number: int) -> "Any":
    if kinds.is_a(value, list):
        return list.__getitem__(value, number)
    if kinds.is_a(value, tuple):
        return tuple.__getitem__(value, number)
    return expand(value, Reading())[1][number][1]


def _entries(value: "Any") -> "list[tuple[Any, Any]]":
    """[(key, value)], without asking a key for its hash where that can be helped."""
    if kinds.is_a(value, dict) and value is not sys.modules and type(value) is not collections.OrderedDict:
        return list(dict.items(value))
    return entries(value)


def _cell(value: "Any", name: str) -> "Any":
    return dict(zip(value.__code__.co_freevars, value.__closure__))[name].cell_contents


_WORDS = {
    "cell": _cell,
    "global": lambda value, name: value.__globals__[name],
    "import": lambda value, name: sys.modules[name],
    "builtin": lambda value, name: builtins.__dict__[name],
    "default": lambda value, name: value.__defaults__[int(name)],
    "kwdefault": lambda value, name: value.__kwdefaults__[name],
    "func": lambda value, name: getattr(value, "__func__", None) or value.func,
    "self": lambda value, name: value.__self__,
    "deref": lambda value, name: referred(value),
    "base": lambda value, name: kinds.bases(value)[int(name)],
    "class": lambda value, name: type(value),
    "metaclass": lambda value, name: type(value),
    "captured": lambda value, name: captured(value)[int(name)],
    "python_function": lambda value, name: value._python_function,
}
