"""Which attributes count: an attribute that no code which ran while tracing can name was not read.

Names are those in the bytecode (and string constants, for `getattr`) of every code object that ran. Where user code
looks attributes up by names it makes itself (`getattr(self, f"dense_{i}")`, `vars(self)`), every attribute of the
user's objects counts.
"""

import operator

from firststep_agent import kinds, ownership
from firststep_agent.boost.objects import bytecode
from firststep_agent.boost.objects.special import LIBRARY, OWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import CodeType
    from typing import Any

# Built-ins and attributes through which code reaches attributes by names that stand in no constant.
DYNAMIC = frozenset(("getattr", "setattr", "delattr", "hasattr", "vars", "dir", "globals", "locals", "eval", "exec", "__dict__",
                     "__getattribute__", "attrgetter", "methodcaller", "getmembers", "asdict", "astuple", "fields", "replace"))

_GETTERS = (operator.attrgetter, operator.methodcaller)
_SENTENCE = 60  # characters


class Names:
    """The names that ran. `by_kind`: which count for the frameworks' objects (LIBRARY) and the user's own (OWN; None: every name).
    `told`: of what functions, classes and modules tell of themselves (`__doc__`), what the user's code names."""

    def __init__(self, library: "frozenset[str]", user: "frozenset[str] | None", seeds: bool, told: "frozenset[str]") -> None:
        self.by_kind = {LIBRARY: library, OWN: user}
        self.seeds = seeds  # whether initializers made tensors of the graph, so that their seeds count
        self.told = told

    @classmethod
    def of(cls, codes: "list[CodeType]", user_codes: "list[CodeType]", calls: "dict[int, list[CodeType | str]]",
           objects: "Iterable[Any]" = ()) -> "Names":
        """`codes`: everything that ran; `user_codes`: the user's own among them; `calls`: who called what (`Executed.calls`); `objects`:
        among them those that get attributes by names of their own (`attrgetter("a.b")`)."""
        names = {name for each in objects if kinds.is_just(each, *_GETTERS) for told in each.__reduce__()[1] if type(told) is str
                 for name in told.split(".")}
        for code in codes:
            names.update(filter(_may_name, bytecode.attribute_names(code)))
        dynamic = any(not DYNAMIC.isdisjoint(code.co_names) for code in user_codes) or any(_reads_all(code) for code in codes)
        users = set().union(*map(bytecode.attribute_names, user_codes))
        told = {name for name in users if name[:2] == "__"} | ({"__doc__"} if "getdoc" in users else set())
        return cls(frozenset(names), None if dynamic else frozenset(names), _initializers_called(codes, calls), frozenset(told))

    def to_json(self) -> "dict[str, Any]":
        return {"names": "\n".join(sorted(self.by_kind[LIBRARY] or ())),
                "all": self.by_kind[OWN] is None, "seeds": self.seeds, "told": sorted(self.told)}

    @classmethod
    def from_json(cls, data: "dict[str, Any]") -> "Names":
        names = frozenset(data["names"].split("\n"))
        return cls(names, None if data["all"] else names, data["seeds"], frozenset(data["told"]))


def _may_name(text: str) -> bool:
    """Whether an attribute may be called so: of what is no identifier (absl's flag `?`) all but sentences."""
    return text.isidentifier() or (len(text) < _SENTENCE and "\n" not in text)


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
