"""Where text, warnings and log records go out, and who listens there: as many at once as there are, the last one first, each until it
goes, in whatever order they go."""

import functools
import sys
from _thread import RLock

from firststep_agent import kinds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Listener = Callable[..., Any]  # (what it is passed on to, then the arguments)


class Outlet:
    """What of ours stands there calls the listeners, and in the end what stood there; it goes with the last of them."""

    def __init__(self, owner: "Any", name: str) -> None:
        self._owner, self._name = owner, name
        self._plain: Any = getattr(owner, name)
        self._listeners: list[Listener] = []
        self._function = _standing(self)
        self._put()

    def is_there(self) -> bool:
        """Whether it stands there still, or the program has put something else there."""
        return getattr(self._owner, self._name, None) is self._function

    def add(self, listener: "Listener") -> None:
        self._listeners.append(listener)

    def remove(self, listener: "Listener") -> None:
        with _changing[0]:
            self._listeners.remove(listener)
            if not self._listeners:
                self._take_away()
                _outlets[:] = [each for each in _outlets if each is not self]

    def asked(self, *arguments: "Any", **keywords: "Any") -> "Any":
        return self._ask(tuple(self._listeners), *arguments, **keywords)

    def _ask(self, listeners: "tuple[Listener, ...]", *arguments: "Any", **keywords: "Any") -> "Any":
        if not listeners:
            return self._plain(*arguments, **keywords)
        return listeners[-1](functools.partial(self._ask, listeners[:-1]), *arguments, **keywords)

    def is_of(self, owner: "Any", name: str) -> bool:
        return owner is self._owner and name == self._name and self.is_there()

    def _put(self) -> None:
        setattr(self._owner, self._name, self._function)

    def _take_away(self) -> None:
        if self.is_there():
            setattr(self._owner, self._name, self._plain)


def _standing(outlet: "Outlet") -> "Callable[..., Any]":
    def stands(*arguments, **keywords):
        return outlet.asked(*arguments, **keywords)

    return stands


class Stream(Outlet):
    """`write` of a stream, which stays where it is and what it is: the program may ask, or keep it. Where it has no attributes of its own,
    another stands in its places."""

    def __init__(self, stream: "Any") -> None:
        self._tee: Any = None
        super().__init__(stream, "write")

    def is_of(self, owner: "Any", name: str) -> bool:
        return name == "write" and (owner is self._tee or owner is self._owner) and self.is_there()

    def is_there(self) -> bool:
        return self._tee is not None or kinds.own(self._owner).get("write") is self._function

    def _put(self) -> None:
        held = kinds.own(self._owner)
        self._before = held.get("write")
        held["write"] = self._function
        if self._owner.write is not self._function:
            held.pop("write")
            self._tee = Tee(self._owner, self._function)
            self._replace(self._owner, self._tee)

    def _take_away(self) -> None:
        if self._tee is not None:
            self._replace(self._tee, self._owner)
        elif self.is_there() and self._before is not None:
            kinds.own(self._owner)["write"] = self._before
        elif self.is_there():
            del kinds.own(self._owner)["write"]

    @staticmethod
    def _replace(what: "Any", by: "Any") -> None:
        for name in STREAMS:
            if named(name) is what:
                setattr(sys, name, by)


class Tee:
    """Stands for a stream."""

    def __init__(self, stream: "Any", write: "Callable[[str], Any]") -> None:
        self.__dict__.update(_stream=stream, write=write)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def __getattr__(self, name):
        return getattr(self._stream, name)

    def __setattr__(self, name, value):
        setattr(self._stream, name, value)


_outlets: "list[Outlet]" = []
_changing = [RLock()]  # a signal's handler may trace in between


def after_fork() -> None:
    """In a child: another thread may have held it."""
    _changing[:] = [RLock()]


def listen(owner: "Any", name: str, listener: "Listener") -> "Outlet":
    """Adds a listener to what stands there, or is put there."""
    with _changing[0]:
        found = next((each for each in _outlets if each.is_of(owner, name)), None)
        if found is None:
            found = Stream(owner) if name == "write" else Outlet(owner, name)
            _outlets.append(found)
        found.add(listener)
    return found


STREAMS = ("stdout", "stderr", "__stdout__", "__stderr__")


def named(name: str) -> "Any":
    """A stream of `sys`; None where there is none."""
    return getattr(sys, name, None)


def names(stream: "Any") -> str:
    """What `sys` calls it: `stdout=__stdout__`. Whatever of these the program has written to, it is the same where these are."""
    return "=".join(name for name in STREAMS if named(name) is stream)


def of_names(said: str) -> "Any":
    """The stream that has the first of these names now."""
    return named(said.partition("=")[0])


def streams() -> "list[Any]":
    """Those that print goes to, and the process's own, which a program may have got hold of."""
    return list({id(stream): stream for stream in map(named, STREAMS) if getattr(stream, "write", None) is not None}.values())
