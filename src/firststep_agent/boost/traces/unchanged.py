"""Whether the program's own code, run while a function was traced, has left all as it was: then a second trace finds what the first found.

No list tells what code may change: it has a thousand ways. So what it can reach is looked at before the trace and after it. An object
that cannot be looked into (an iterator, a lock, a cache), a library whose functions may act on more than they are given, a name that
leads anywhere: each is a doubt, and the function is traced as often as plainly. Where no code of the program's is reached there is
nothing to look at.
"""

import itertools
import types
import zlib

from firststep_agent import kinds, ownership
from firststep_agent.boost.objects import bytecode, special
from firststep_agent.boost.objects.expand import expand
from firststep_agent.boost.objects.leaves import word
from firststep_agent.boost.objects.pausing import Paused
from firststep_agent.boost.objects.reading import ModuleRead, Reading
from firststep_agent.boost.traces import libraries, once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from firststep_agent.boost.objects.special import Parts

_MOST_BYTES = 256 << 20  # of arrays that are looked at; beyond, a second trace is the smaller cost
_READING = Reading()
# One is as good as another with the same in it; what reads an attribute may make them anew.
_OF_NO_IDENTITY = kinds.numbers((tuple, frozenset, types.MethodType, slice, property, classmethod, staticmethod, ModuleRead))


class Doubt(Exception):
    """Why it cannot be told, in words."""


class Reach:
    """What the program's functions below some values can reach. doubt: why that cannot be told, or None; lines: what was seen."""

    def __init__(self, values: "Any") -> None:
        self.doubt: str | None = None
        self.lines: list[tuple[Any, ...]] = []
        self.functions: int | None = None  # how many of the program's are reached
        self._kept: list[Any] = []  # all that was met: no other object gets one of these ids while the Reach lives
        self._bytes = 0
        self._names: set[str] = set()
        self._taken: dict[int, Parts] = {}  # parts of what was met already
        met: dict[int, list[Any]] = {}
        try:
            with Paused():
                functions = list(map(self._named_well, once.users_functions(values, met, self._taken)))
                self.functions = len(functions)
                self._check(functions, once.holders_of(met))
                if functions:
                    self._go((values, *functions))
        except Doubt as error:
            self.doubt = str(error)
        self._taken.clear()

    def _named_well(self, function: "types.FunctionType") -> "types.FunctionType":
        """It, as soon as it is met: behind one that leads anywhere (to pandas, say) there are tens of thousands."""
        name = libraries.why_not(function.__code__, function.__globals__)
        if name is not None:
            raise Doubt(f"`{function.__qualname__}` names `{name}`")
        return function

    def _check(self, functions: "Iterable[types.FunctionType]", holders: "dict[int, list[Any]]") -> None:
        for function in functions:
            code, scope = function.__code__, function.__globals__
            if any(once.tells(each, scope, holders) for each in once.nested(code)):
                raise Doubt(f"`{function.__qualname__}` may change something, or say it")
            self._names |= bytecode.attribute_names(code)

    def _go(self, roots: "Iterable[Any]") -> None:
        """Everything that can be reached, each once; once more where it was met on the way to something else alone before."""
        seen: dict[int, bool] = {}
        todo = [(root, True) for root in roots]
        for value, counts in todo:
            if id(value) in seen and (seen[id(value)] or not counts):
                continue
            seen[id(value)] = counts
            self._kept.append(value)
            todo.extend(self._children(value, counts))

    def _children(self, value: "Any", counts: bool) -> "Sequence[tuple[Any, bool]]":
        """What is to be met next; the value itself goes down where it counts: what the program's code can name or was given."""
        cls = type(value)
        if word(value) is not None:
            if counts and cls is types.BuiltinFunctionType and not libraries.is_harmless(value):
                raise Doubt(f"`{value.__qualname__}` is used")
            return ()
        if special.holds_data(cls):
            if counts:
                self.lines.append((id(value), self._data(value)))
            return ()
        if counts:
            self._check_class(value, cls)
        head, children, _ = self._taken.get(id(value)) or expand(value, _READING)
        if counts and head[0] == "!":
            raise Doubt(f"{head[1:]} is reached")
        is_named = [self._is_named(step, cls) for step, _ in children]
        if counts:
            known = None if id(cls) in _OF_NO_IDENTITY else id(value)
            named = itertools.compress(children, is_named)
            self.lines.append((known, head, *((step, self._word(child)) for step, child in named)))
        return self._next(value, counts, children, is_named)

    def _check_class(self, value: "Any", cls: type) -> None:
        if kinds.is_a(value, type):
            if not ownership.is_user_class(value) and not libraries.is_harmless(value):
                raise Doubt(f"`{kinds.qualified(value)}` is used")
        elif cls is types.FunctionType:
            if not ownership.is_user(value) and not libraries.is_harmless(value):
                raise Doubt(f"`{value.__module__}.{value.__qualname__}` is used")
        elif cls is not ModuleRead and not ownership.is_user_class(cls) and (
                kinds.qualified(cls) not in libraries.CLASSES and ownership.module_owner(kinds.module(cls)) != ownership.FRAMEWORK):
            raise Doubt(f"a `{kinds.qualified(cls)}` is reached")
        elif any("__next__" in kinds.namespace(base) for base in kinds.mro(cls)) and not ownership.is_user_class(cls):
            raise Doubt(f"a `{kinds.qualified(cls)}` is reached, which moves on when it is asked")

    def _next(self, parent: "Any", counts: bool, children: "Iterable[tuple[str, Any]]", is_named: "list[bool]") -> "list[tuple[Any, bool]]":
        """[(child, whether it counts)]: all counts that a function or an object of the program's holds, of a framework's object what has a
        name in the program's code."""
        cls = type(parent)
        if cls is types.FunctionType:
            of_users = ownership.is_user(parent)
            return [(child, of_users) for _, child in children]
        if cls is ModuleRead:
            return [(child, counts) for _, child in children]
        all_named = counts or ownership.is_user_class(cls)
        return [(child, (named and (all_named or step.lstrip(".") in self._names)) if step[0] == "." else counts)
                for (step, child), named in zip(children, is_named)]

    def _is_named(self, step: str, cls: type) -> bool:
        """Whether the program's code can ask for it: what is an attribute of a framework's object, or of one below, needs a name."""
        return step[0] != "." or step[1] == "." or step[1:] in self._names or not _is_asked_by_name(cls)

    def _word(self, child: "Any") -> "str | int | None":
        told = word(child)
        return told if told is not None else None if id(type(child)) in _OF_NO_IDENTITY else id(child)

    def _data(self, value: "Any") -> "tuple[Any, ...] | None":
        """What an array holds; a tensor or a variable is what it is."""
        import numpy

        if not kinds.is_a(value, numpy.ndarray):
            return None
        if value.dtype.hasobject:
            raise Doubt("an array of objects is reached")
        self._bytes += value.nbytes
        if self._bytes > _MOST_BYTES:
            raise Doubt("large arrays are reached")
        data = numpy.ascontiguousarray(numpy.ndarray.view(value, numpy.ndarray)).tobytes()  # past what a class of the program's makes of it
        return value.shape, value.dtype.str, zlib.crc32(data)


@kinds.once
def _is_asked_by_name(cls: type) -> bool:
    """Whether it is a framework's class, or one below, or a module's."""
    return issubclass(cls, types.ModuleType) or any(
        ownership.module_owner(kinds.module(base)) == ownership.FRAMEWORK for base in kinds.mro(cls))


class AsItWas:
    """What can be reached from these values before a trace."""

    def __init__(self, values: "Any") -> None:
        self._values = values
        self._look = Reach(values)

    @property
    def is_nothing(self) -> bool:
        """Whether no code of the program's is reached: then none is from what the trace itself traces, either."""
        return self._look.functions == 0

    def is_unchanged(self) -> bool:
        """Whether all is now as it was then, as far as the program's code can reach it."""
        if self._look.doubt is not None:
            return False
        now = Reach(self._values)
        return now.doubt is None and now.lines == self._look.lines
