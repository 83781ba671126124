"""Puts what is ours into the frameworks, and takes it away again: nothing else in the agent does either.

Each place is wrapped once, whoever listens there; a listener leaves at its time, and with the last of them the wrapper. Where
somebody else has wrapped over it meanwhile, or keeps it under a name of his own, it stays there, calls straight on, and that is
recorded.
"""

import sys
from _thread import RLock  # a signal's handler may come here in the middle of it

from firststep_agent import kinds
from firststep_agent.frameworks import converted, versions
from firststep_agent.frameworks.points import FRAMEWORKS, ORDER, REPLACED, STEPS, WRAPPED, points_at
from firststep_agent.frameworks.replacements import EXIT, READY, WATCHED, put_back
from firststep_agent.frameworks.resolve import Absent, found
from firststep_agent.frameworks.standing import Listening, attribute, inherited, stand_in, standing
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from firststep_agent.frameworks.listening import Listener
    from firststep_agent.frameworks.points import Point

_references_to = getattr(sys, "getrefcount", lambda value: 0)  # PyPy has none: there every module is looked through
_OBSERVERS = (FRAMEWORKS, STEPS, "afterwards", "results", "network")


class While:
    """Listeners that stand at their places only while something is under way: nothing else passes them. A context manager."""

    def __init__(self) -> None:
        self._open = 0
        self._modules = 0  # how many there were when it opened: what is imported meanwhile may take ours from its place
        self._listeners: list[tuple[Place | Overridden, Listening]] = []
        self._lock = RLock()

    def add(self, place: "Place | Overridden", listening: "Listening") -> None:
        """A listener that joins now, if this is open, and whenever it is."""
        with self._lock:
            self._listeners.append((place, listening))
            if self._open:
                place.add(listening)

    def remove(self, listening: "Listening") -> None:
        """One that listens here no more."""
        with self._lock:
            self._listeners = [each for each in self._listeners if each[1] is not listening]

    def __enter__(self) -> None:
        with self._lock:
            self._open += 1
            if self._open == 1:
                self._modules = len(sys.modules)
                for place, listening in self._listeners:
                    place.add(listening)

    def __exit__(self, *error: "Any") -> None:
        self._close(self._modules)

    def end(self) -> None:
        """As leaving it, where it opens no more: what others have copied meanwhile calls straight on until it is put back with the rest."""
        self._close(None)

    def _close(self, since: "int | None") -> None:
        with self._lock:
            self._open -= 1
            if not self._open:
                for place, listening in self._listeners:
                    place.remove(listening, since)

    def after_fork(self) -> None:
        """In the child nobody else holds the lock."""
        self._lock = RLock()


class Door:
    """The places of one run."""

    def __init__(self, run: "Any") -> None:
        self._run = run
        self._places: dict[tuple[int, str], Place] = {}  # (id of the owner, name) -> Place
        self._leaving: dict[str, list[Listening]] = {READY: [], EXIT: [], WATCHED: []}
        self._scopes: dict[str, While] = {}  # name -> While
        # package -> [(remedy that rests on its inside, what takes away what is its)]
        self._resting: dict[str, list[tuple[str, Callable[[], object]]]] = {}
        self.changing = RLock()  # who listens at a place
        run.on_fork(self._after_fork)
        run.after_import(converted.MODULE, self._convert_own)

    def wrap(self, point: "Point", listener: "Listener", by: str, until: "str | While" = READY,
             installed: "Callable[[Any, Listening], object] | None" = None, overridden: bool = False) -> None:
        """`listener` (frameworks/listening.py) at `point`, on behalf of `by`, from the import of its module on.

        until: READY, EXIT, WATCHED or a While. installed(plain, listening) is called when it stands there; `plain` is the
        framework's own. overridden: also at what the classes below that of `point` have of the same name, the program's too; only
        with a While. Where the point is not there, or in no version that this was tried on, that is noted.
        """
        assert point.how == WRAPPED and by in point.users, f"{by} does not stand at {point.name}"
        assert isinstance(until, While) or not overridden, "classes that come later would not be heard"

        def install(module):
            self._install(sys.modules.get(point.module, module), point, listener, by, until, installed, overridden)

        self._run.after_import(point.after or point.module, install)

    def _convert_own(self, module: "Any") -> None:
        (point,) = points_at(converted.PACKAGE, converted.MODULE, converted.TRANSFORMS)
        self.wrap(point, converted.own, FRAMEWORKS)

    def put(self, point: "Point", make: "Callable[[Any], Any]", by: str, until: "str | While" = READY) -> None:
        """make(plain) in the place of what stands at `point`, which answers by itself; nothing where that is None.

        until: READY, EXIT, WATCHED, or a While, which puts it there each time it opens.
        """
        assert point.how == REPLACED and by in point.users, f"{by} does not stand at {point.name}"
        self._run.after_import(point.module, lambda module: self._put(module, point, make, by, until))

    def _put(self, module: "Any", point: "Point", make: "Callable[[Any], Any]", by: str, until: "str | While") -> None:
        if self._run.refuses(by, point.package):
            return
        try:
            owner, name, plain = found(point, module)
        except Absent as absent:
            self._absent(point, by, str(absent))
            return
        try:
            value = make(plain)
        except Exception as error:
            if is_theirs(error):
                raise
            _Failing(self._run, by, point.name)(error)
            return
        if value is None:
            return
        if isinstance(until, While):
            listening = Listening(None, None, 0, by)
            until.add(Place(self, self._run, point.name, owner, name, plain, value), listening)
            self._rests(by, point.package, lambda: self._goes(listening, until))
        else:
            self._run.replacements.put(owner, name, value, until)
            self._rests(by, point.package, lambda: self._run.replacements.take_away(value))

    def listen(self, owner: "Any", name: str, listener: "Listener", by: str, until: "str | While" = READY) -> None:
        """`listener` at an attribute of Python's own library, which stands in no table; nothing where there is none."""
        value = attribute(owner, name)
        if value is not None:
            place = self._place(f"{getattr(owner, '__name__', owner)}.{name}", owner, name, value)
            self._add(place, listener, by, until, place.name)

    def _install(self, module: "Any", point: "Point", listener: "Listener", by: str, until: "str | While",
                 installed: "Callable[[Any, Listening], object] | None", overridden: bool) -> None:
        place = self.place(module, point, by)
        if place is None:
            return
        if overridden:
            place = Overridden(self, self._run, place)  # type: ignore[assignment]
        listening = self._add(place, listener, by, until, point.name)
        if by not in _OBSERVERS:
            self._rests(by, point.package, lambda: self._goes(listening, until))
        if installed is not None:
            installed(place.plain, listening)

    def _add(self, place: "Place | Overridden", listener: "Listener", by: str, until: "str | While", name: str) -> "Listening":
        order = ORDER.index(by) if by in ORDER else len(ORDER)
        listening = Listening(listener, _Failing(self._run, by, name), order, by)
        if isinstance(until, While):
            until.add(place, listening)
        else:
            place.add(listening)
            self._leaving[until].append(listening)
        return listening

    @staticmethod
    def _goes(listening: "Listening", until: "str | While") -> None:
        listening.leave()
        if isinstance(until, While):
            until.remove(listening)

    def _rests(self, by: str, package: str, goes: "Callable[[], object]") -> None:
        """What `by` has put into this package goes if the package then says that it is of a version that was not tried."""
        resting = self._resting.get(package)
        if resting is not None:
            resting.append((by, goes))
        elif package in versions.TRIED:
            self._resting[package] = [(by, goes)]
            self._run.after_import(versions.named_in(package), lambda module: self._version_is_told(package))

    def _version_is_told(self, package: str) -> None:
        for by, goes in self._resting[package]:
            if self._run.refuses(by, package):
                goes()

    def place(self, module: "Any", point: "Point", by: str) -> "Place | None":
        """The Place of a point; None where there is none for `by`, which is noted."""
        if (point.since or point.before) and not point.exists_in(versions.of(point.package)):
            return None
        if by not in _OBSERVERS and self._run.refuses(by, point.package):
            return None
        try:
            owner, name, value = found(point, module)
            if not callable(kinds.bound(value)):
                raise Absent(f"{point.name} is no function")
        except Absent as absent:
            self._absent(point, by, str(absent))
            return None
        return self._place(point.name, owner, name, value)

    def known(self, owner: "Any", name: str) -> "Place | None":
        """The Place of an attribute, if it has one and what it holds is the framework's own, or ours; else None."""
        place = self._places.get((id(owner), name))
        return place if place is not None and place.is_plain_or_ours() else None

    def _place(self, shown: str, owner: "Any", name: str, value: "Any") -> "Place":
        place = self._places.get((id(owner), name))
        if place is None:
            place = self._places[id(owner), name] = Place(self, self._run, shown, owner, name, value)
        return place

    def _absent(self, point: "Point", by: str, reason: str) -> None:
        if by in _OBSERVERS:
            self._run.recorder.record("missing", point.module, point.attribute)
        else:
            self._run.note(by, "refused", reason=reason)

    def leave(self, *ends: str) -> None:
        """Takes away what stands until one of `ends`."""
        for end in ends:
            listening, self._leaving[end] = self._leaving[end], []
            for each in listening:
                each.leave()

    def scope(self, name: str) -> "tuple[While, bool]":
        """(the While of this name, whether it is new)."""
        new = name not in self._scopes
        if new:
            self._scopes[name] = While()
        return self._scopes[name], new

    def _after_fork(self) -> None:
        """What another thread was doing is not under way in the child."""
        self.changing = RLock()
        for each in self._scopes.values():
            each.after_fork()


class _Failing:
    """Notes the errors of one listener: the first as an event, for an error of each call says no more than that."""

    __slots__ = ("_run", "_by", "_name", "_noted")

    def __init__(self, run: "Any", by: str, name: str) -> None:
        self._run, self._by, self._name, self._noted = run, by, name, False

    def __call__(self, error: "BaseException") -> None:
        if self._noted:
            return
        self._noted = True
        self._run.failed(self._name, error)
        if self._by not in _OBSERVERS:
            self._run.note(self._by, "error", reason=f"at {self._name}: {type(error).__name__}: {error}")


class Place:
    """One attribute of a module or class. plain: the framework's own; listeners: who takes part in a call of it, outermost first.

    stands: whether ours is there, or below what somebody has wrapped over it. ours: what is to stand there; None: what calls the listeners.
    """

    def __init__(self, door: "Door", run: "Any", shown: str, owner: "Any", name: str, plain: "Any", ours: "Any" = None) -> None:
        self._door, self._run, self.name = door, run, shown
        self.owner, self.attribute = owner, name
        self._had = name in vars(owner)
        self.plain = plain
        self.listeners: tuple[Listening, ...] = ()
        self.stands = False
        self._ours = ours
        self._answers = ours is not None  # by itself
        self._references = 0

    def add(self, listening: "Listening") -> None:
        """From now on it takes part."""
        with self._door.changing:
            self.listeners = tuple(sorted((*self.listeners, listening), key=lambda each: each.order))
            listening.place = self
            now = vars(self.owner).get(self.attribute)
            if now is (self.plain if self._had else None):
                self._stand()
                self._references = self._references or _references_to(self._ours)  # the first time: there are no copies yet
            elif not self.stands:
                self._run.wrapped_over(self.name)  # before we came

    def is_plain_or_ours(self) -> bool:
        """Whether the attribute holds nothing that somebody else has put there since."""
        now = vars(self.owner).get(self.attribute)
        return now is not None and (now is self.plain or now is self._ours)

    def _stand(self) -> None:
        if self._ours is None:
            function = getattr(self.plain, "__func__", self.plain)
            ours = stand_in(function, standing(self, function, None if self._had else inherited(self.owner, self.attribute)))
            kind = type(self.plain)
            self._ours = kind(ours) if kind in (staticmethod, classmethod) else ours
        self._run.stands_again(self._ours)
        setattr(self.owner, self.attribute, self._ours)
        self.stands = True

    def remove(self, listening: "Listening", since: "int | None" = None) -> None:
        """From now on it takes no part; with the last one the wrapper goes, or calls straight on where it cannot.

        since: as of `put_copies_back`. Of what answers by itself copies are looked for everywhere at once: they would go on to answer.
        """
        with self._door.changing:
            if listening not in self.listeners:
                return
            self.listeners = tuple(each for each in self.listeners if each is not listening)
            if self.listeners or not self.stands:
                return
            if vars(self.owner).get(self.attribute) is not self._ours:
                self._run.wrapped_over(self.name)
                return
            put_back(self.owner, self.attribute, self._had, self.plain)
            self.stands = False
            copied = _references_to(self._ours) >= self._references
        if copied:
            self._run.put_copies_back(((self._ours, self.plain),), 0 if self._answers else since)


class Overridden:
    """A method of a class, and what the classes below it have of the same name, by whomever: one place for one listener.

    What there is is looked up each time the listener joins, for the program makes classes, and may have put functions of its own
    there; none is held afterwards.
    """

    def __init__(self, door: "Door", run: "Any", place: "Place") -> None:
        self._door, self._run = door, run
        self.plain, self.name = place.plain, place.name
        self._owner, self._attribute = place.owner, place.attribute
        self._joined: list[tuple[Place, Listening]] = []  # (Place, Listening)
        self._unheard = False

    @property
    def stands(self) -> bool:
        """Whether all of them are heard."""
        return not self._unheard and all(place.stands for place, _ in self._joined)

    def add(self, listening: "Listening") -> None:
        """From now on it takes part in a call of each."""
        listening.place, self._unheard = self, False
        for place in self._places():
            each = Listening(listening.listener, listening.failed, listening.order, listening.by)
            self._joined.append((place, each))
            try:
                place.add(each)
            except Exception as error:  # what a class of the program's own makes of it is not the program's error
                if is_theirs(error):
                    raise
                self._unheard = True

    def _places(self) -> "Iterator[Place]":
        name = self._attribute
        for cls in kinds.with_subclasses(self._owner):
            if name not in kinds.namespace(cls):
                continue
            value = kinds.namespace(cls)[name]
            known = self._door.known(cls, name)
            if known is None and not kinds.is_just(value, *_METHODS):
                self._unheard = True  # a property, or what else makes a function when it is asked
            else:
                yield known or Place(self._door, self._run, f"{kinds.module(cls)}.{kinds.qualname(cls)}.{name}", cls, name, value)

    def remove(self, listening: "Listening", since: "int | None" = None) -> None:
        """From now on it takes part in none. since: as of a Place."""
        joined, self._joined = self._joined, []
        for place, joining in joined:
            place.remove(joining, since)


_METHODS = (kinds.FUNCTION, staticmethod, classmethod)
