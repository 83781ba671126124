"""Which attributes count: an attribute that no code which ran while tracing can name was not read.

Names are those in the bytecode (and string constants, for `getattr`) of every code object that ran. Where user code
looks attributes up by names it makes itself (`getattr(self, f"dense_{i}")`, `vars(self)`), every attribute of the
user's objects counts.

What an object of the program's holds that is of no framework's class is read by names in the program's code, its packages included: a
framework's code names thousands (`name`, `id`, `path`), and a run's own name or number would be another in each start. Nor do the lines,
globals, closures and defaults of functions that did not run count. But code that reads such things all the same cannot be told: where they
are others, a start traces once more before it is answered (`at_large`).
"""

import functools
import operator
import types

from firststep_agent import kinds, ownership
from firststep_agent.boost.cache_functions.reads import reached
from firststep_agent.boost.objects import bytecode
from firststep_agent.boost.objects.parts import naming
from firststep_agent.boost.objects.special import ALONE, HELD, LIBRARY, OWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import CodeType
    from typing import Any

# Built-ins and attributes through which code reaches attributes by names that stand in no constant.
DYNAMIC = frozenset(("getattr", "setattr", "delattr", "hasattr", "vars", "dir", "globals", "locals", "eval", "exec", "__dict__",
                     "__getattribute__", "attrgetter", "methodcaller", "getmembers", "asdict", "astuple", "fields", "replace"))

# What leads to the globals of a function, to its closure or to its defaults past a call of it.
_LOOKS_INTO_FUNCTIONS = frozenset(("__globals__", "__closure__", "cell_contents", "getclosurevars", "eval", "exec", "f_globals",
                                   "__defaults__", "__kwdefaults__", "signature", "getfullargspec", "getargspec"))
_GETTERS = (operator.attrgetter, operator.methodcaller)
_SENTENCE = 60  # characters


class Names:
    """The names that ran. `by_kind`: which count for the frameworks' objects (LIBRARY) and the user's own (OWN, ALONE, HELD; None: every
    name). `told`: of what functions, classes and modules tell of themselves (`__doc__`), what the user's code names. `ran`: digests of the
    user's code that ran; None where code may have looked into functions that did not."""

    def __init__(self, names: "frozenset[str]", of_users: "frozenset[str]", dynamic: bool, seeds: bool, told: "frozenset[str]",
                 ran: "frozenset[str] | None") -> None:
        users = None if dynamic else of_users
        self.by_kind = {LIBRARY: names, OWN: None if dynamic else names, ALONE: users, HELD: users}
        self.of_users = of_users
        self.seeds = seeds  # whether initializers made tensors of the graph, so that their seeds count
        self.told = told
        self.ran = ran
        # Whether attributes that nothing names count: of what is there to hold values with these, of all else that they are there.
        self.presence = False

    def at_large(self) -> "Names":
        """With what a framework's code, or Python's own, could read besides."""
        found = Names(self.by_kind[LIBRARY], self.of_users, False, self.seeds, self.told | naming.FIELDS, None)  # type: ignore[arg-type]
        found.by_kind.update(dict.fromkeys((OWN, ALONE, HELD), self.by_kind[OWN]))
        found.presence = True
        return found

    @classmethod
    def of(cls, codes: "list[CodeType]", user_codes: "list[CodeType]", calls: "dict[int, list[CodeType | str]]",
           objects: "Iterable[Any]" = ()) -> "Names":
        """`codes`: everything that ran; `user_codes`: the user's own among them; `calls`: who called what (`Executed.calls`); `objects`:
        what can be reached, among it those that get attributes by names of their own (`attrgetter("a.b")`)."""
        users = {name for each in objects if kinds.is_just(each, *_GETTERS) for told in each.__reduce__()[1] if type(told) is str
                 for name in told.split(".")}.union(*map(bytecode.attribute_names, user_codes))
        names = {*users}.union(*map(bytecode.attribute_names, codes))
        matches = any(bytecode.matches_classes(code) for code in user_codes)  # by the names in the class's `__match_args__`
        dynamic = matches or any(not DYNAMIC.isdisjoint(code.co_names) for code in user_codes) or any(_reads_all(code) for code in codes)
        told = {name for name in users if name[:2] == "__"} | ({"__doc__"} if "getdoc" in users else set())
        told |= {*naming.FIELDS, "__match_args__"} if dynamic else set()
        they_ran = [code for one in (*reached.originals(codes), *_remembered(objects)) for code in bytecode.nested(one)]
        ran = None if _LOOKS_INTO_FUNCTIONS & users else frozenset(map(bytecode.digest, they_ran))
        of_users = _that_may_be(users.union(code.co_name for code in they_ran))  # a framework may have called them by their names
        return cls(_that_may_be(names), of_users, dynamic, _initializers_called(codes, calls), frozenset(told), ran)

    def to_json(self) -> "dict[str, Any]":
        return {"names": "\n".join(sorted(self.by_kind[LIBRARY] or ())), "of_users": "\n".join(sorted(self.of_users)),
                "all": self.by_kind[OWN] is None, "seeds": self.seeds, "told": sorted(self.told),
                "ran": None if self.ran is None else sorted(self.ran)}

    @classmethod
    def from_json(cls, data: "dict[str, Any]") -> "Names":
        return cls(frozenset(data["names"].split("\n")), frozenset(data["of_users"].split("\n")), data["all"], data["seeds"],
                   frozenset(data["told"]), None if data["ran"] is None else frozenset(data["ran"]))


def _that_may_be(names: "set[str]") -> "frozenset[str]":
    return frozenset(filter(_may_name, names))


def _may_name(text: str) -> bool:
    """Whether an attribute may be called so: of what is no identifier (absl's flag `?`) all but sentences."""
    return text.isidentifier() or (len(text) < _SENTENCE and "\n" not in text)


def _remembered(objects: "Iterable[Any]") -> "Iterator[CodeType]":
    """The code of functions that ran before the trace, and whose results of then stand for them (`lru_cache`)."""
    for each in objects:
        if kinds.is_just(each, functools._lru_cache_wrapper):
            wrapped = kinds.own(each).get("__wrapped__")
            if type(wrapped) is types.FunctionType:
                yield wrapped.__code__


def _reads_all(code: "CodeType") -> bool:
    """tf.Module finds its variables by going through all its attributes."""
    return code.co_name == "_flatten_module" and code.co_filename.endswith("tensorflow/python/module/module.py")


def _initializers_called(codes: "list[CodeType]", calls: "dict[int, list[CodeType | str]]") -> bool:
    """True where an initializer was called for anything else than the value of a new variable."""
    called = {id(c) for c in codes if c.co_name == "__call__" and "initializers" in c.co_filename
              and ownership.owner(c.co_filename) == ownership.FRAMEWORK}
    if not called:
        return False
    return any(not _makes_variables(c) for c in codes for callee in calls.get(id(c), ()) if id(callee) in called)


def _makes_variables(code: "CodeType") -> bool:
    return ownership.owner(code.co_filename) == ownership.FRAMEWORK and "autograph" not in code.co_filename
