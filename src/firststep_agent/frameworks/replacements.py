"""Values of ours that stand in the place of another's whole: what answers by itself, and functions of C."""

import sys
from _operator import is_
from itertools import compress

from firststep_agent import kinds
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from firststep_agent.frameworks.ways import Ways

_FUNCTION = type(lambda: None)
PIECE = 1000  # names of modules that are looked at together, in some 0.2 ms
READY, EXIT, WATCHED = "ready", "exit", "watched"  # until ready, until the end, until ready or as long as steps are watched


def held(owner: "Any", name: str) -> "tuple[bool, Any]":
    """(whether `owner` itself has it, what it is). A function's code is told by its type."""
    if type(owner) is _FUNCTION and name == "__code__":
        return True, owner.__code__
    return name in vars(owner), vars(owner).get(name)


def put_back(owner: "Any", name: str, had: bool, plain: "Any") -> None:
    """The framework's own, as it was."""
    if had:
        setattr(owner, name, plain)
    else:
        delattr(owner, name)


def put_back_copies(gone: "Iterable[tuple[Any, Any]]", since: int = 0) -> "Iterator[None]":
    """Puts back what ours stood for in the modules that took ours from its place, under whatever name, a piece with each `next`.

    gone: (ours, what it stood for) of each; since: how many modules there were before those that are looked through.
    """
    plain = {id(ours): (ours, theirs) for ours, theirs in gone if type(ours) is _FUNCTION}
    looked_at = 0
    for module in list(sys.modules.values())[since:] if plain else ():
        names = kinds.own(module)
        while names and type(names) is dict:  # a class that stands for a module has no such
            values = list(names.values())
            if not plain.keys().isdisjoint(map(id, values)):
                for name, value in list(names.items()):
                    if id(value) in plain:
                        _exchange(names, name, *plain[id(value)])
            looked_at += len(values)
            names = kinds.own(names.get("_tfmw_wrapped_module"))  # TensorFlow's modules that warn of old names
        if looked_at >= PIECE:
            looked_at = 0
            yield


def _exchange(names: "dict[str, Any]", name: str, ours: "Any", theirs: "Any") -> None:
    """Sets `name`, if ours is there still: no bytecode in between, in which another thread could set it."""
    next(map(names.__setitem__, compress((name,), map(is_, map(names.get, (name,)), (ours,))), (theirs,)), None)


class Replacements:
    """Those of one run."""

    def __init__(self, run: "Ways") -> None:
        self._run = run
        self._standing: list[tuple[Any, ...]] = []

    def put(self, owner: "Any", name: str, value: "Any", until: str = WATCHED) -> None:
        """Sets an attribute until then. Where it is there already, copied by `from module import name`, the copy is put back too."""
        had, now = held(owner, name)
        plain = next((entry[3] for entry in self._standing if entry[4] is value), now) if now is value else now
        self._standing.append((owner, name, had, plain, value, until))
        setattr(owner, name, value)

    def leave(self, *ends: str) -> "list[tuple[Any, Any]]":
        """Takes away what stands until one of `ends`, the newest first. Returns (ours, what it stood for) of each."""
        return self._take_away(lambda entry: entry[5] in ends)

    def take_away(self, value: "Any") -> None:
        """Takes `value` away now, wherever it stands."""
        self._run.put_copies_back(self._take_away(lambda entry: entry[4] is value))

    def _take_away(self, goes: "Callable[[tuple[Any, ...]], bool]") -> "list[tuple[Any, Any]]":
        standing, self._standing = self._standing, []
        kept: list[tuple[Any, ...]] = []
        gone: list[tuple[Any, Any]] = []
        while standing:
            entry = standing.pop()
            if not goes(entry):
                kept.append(entry)
                continue
            if not _taken_from_below(kept, entry):
                self._put_back(*entry[:5])
            call_straight_on(entry[4], entry[3])
            gone.append((entry[4], entry[3]))
        self._standing = kept[::-1] + self._standing
        return gone

    def _put_back(self, owner: "Any", name: str, had: bool, plain: "Any", value: "Any") -> None:
        if held(owner, name)[1] is value:
            put_back(owner, name, had, plain)
        else:
            self._run.wrapped_over(f"{getattr(owner, '__name__', owner)}.{name}")


def _taken_from_below(kept: "list[tuple[Any, ...]]", gone: "tuple[Any, ...]") -> bool:
    """Whether one of `kept`, ours too, stands on the one that is gone: it will put back what that one would have."""
    owner, name, had, plain, value, _ = gone
    for number, entry in enumerate(kept):
        if entry[0] is owner and entry[1] == name and entry[3] is value:
            kept[number] = (owner, name, had, plain, *entry[4:])
            return True
    return False


def _straight_on(*arguments: "Any", firststep_plain: "Any" = None, **keywords: "Any") -> "Any":
    return firststep_plain(*arguments, **keywords)


def call_straight_on(function: "Any", plain: "Any") -> None:
    """From now on our `function` is nothing but a call of `plain`, for whoever has kept it."""
    function = getattr(function, "func", function)  # of a partial
    code = getattr(function, "__code__", None)
    if code is None or not callable(plain):
        return
    try:
        function.__kwdefaults__ = {"firststep_plain": plain}  # first: another thread may call it in between
        function.__code__ = _straight_on.__code__.replace(co_freevars=code.co_freevars, co_filename=code.co_filename, co_name=code.co_name)
        function.__defaults__ = None
    except (TypeError, ValueError) as error:
        if is_theirs(error):
            raise
