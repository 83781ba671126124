"""The learning run: watches one trace and says what it depended on."""

from firststep_agent import ownership
from firststep_agent.boost.cache_functions.reads import buffers, effects, hashing, inner, library, manifest, passed_on, reached
from firststep_agent.boost.cache_functions.reads.built import Built
from firststep_agent.boost.cache_functions.reads.executed import Busy, Executed
from firststep_agent.boost.cache_functions.reads.names import Names
from firststep_agent.boost.cache_functions.reads.snapshot import Snapshot, TooMuch
from firststep_agent.boost.cache_functions.reads.stands import Unheard
from firststep_agent.boost.cache_functions.reads.watch import TraceWatch
from firststep_agent.boost.cache_functions.reads.watch.values import numpy_is_named, tensors
from firststep_agent.boost.objects import roots, words
from firststep_agent.boost.objects.refusal import Passing, Refused
from firststep_agent.boost.traces import others
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, TracebackType
    from typing import Any, Literal

    from firststep_agent.boost.cache_functions.reads.change import Change
    from firststep_agent.boost.cache_functions.reads.stands import Stands


MOST_FUNCTIONS = 5_000  # that a trace can reach, a framework's apart: pandas has four times as many, and each look takes two seconds there


class TraceReads:
    """Context manager around exactly one top-level trace of `python_function`. stands: the Stands of the run. too_much: why the trace is
    not to be watched, or None; known once it is entered."""

    def __init__(self, python_function: "Any", stands: "Stands") -> None:
        self._function = python_function
        self._stands = stands
        self._snapshot: Snapshot = None  # type: ignore[assignment]
        self._before: Any = None
        self._watch: TraceWatch | None = None
        self._executed: Executed = None  # type: ignore[assignment]
        self._refusal: str | None = None
        self.too_much: str | None = None
        self._stale = None
        self.names: Names = None  # type: ignore[assignment]
        self.codes: list[CodeType] = []  # what ran
        self.tensors: list[Any] = []  # of the trace's graph, that something keeps
        self.changes: list[Change] = []  # change.Change: attributes that were set while it was traced, which a replay repeats

    def __enter__(self) -> "TraceReads":
        try:
            self._snapshot = Snapshot(roots.roots(self._function), MOST_FUNCTIONS)
            self._stale = inner.stale((f for f in self._snapshot.walk.objects if inner.is_function(f)), self._function)
            self._before = library.Before()
            self._watch = TraceWatch(self._stands)
            self._watch.__enter__()
            executed = Executed()
            try:
                executed.__enter__()
            except Busy as busy:
                self._refusal = str(busy)
            else:
                self._executed = executed
        except TooMuch as too_much:
            self.too_much = self._refusal = str(too_much)
        except Unheard as unheard:
            self._refusal = str(unheard)
        except BaseException as error:
            if is_theirs(error):
                self.__exit__(type(error), error, error.__traceback__)
                raise
            self._refusal = f"what it depends on could not be recorded ({error!r})"
        return self

    def __exit__(self, kind: "type[BaseException] | None", error: "BaseException | None",
                 traceback: "TracebackType | None") -> "Literal[False]":
        try:
            if self._executed is not None:
                self._executed.__exit__(kind, error, traceback)
        finally:
            if self._watch is not None:
                self._watch.__exit__(kind, error, traceback)
        if kind is not None:
            self._refusal = "the trace failed"
        elif self._refusal is None:
            try:
                self._summarise()
            except Exception as error:
                if is_theirs(error):
                    raise
                self._refusal = f"what it depends on could not be recorded ({error!r})"
        return False

    def _summarise(self) -> None:
        self._executed.leave_out(self._watch.imported())
        inner_functions = [f for f in self._snapshot.walk.objects if inner.is_function(f)]
        ran = {id(c): c for c in (*self._executed.codes, *inner.codes(inner_functions))}
        self.codes = list(ran.values())
        self._user_codes = [c for c in self.codes if ownership.owner(c.co_filename) == ownership.USER]
        self.names = Names.of(self.codes, self._user_codes, self._executed.calls, self._snapshot.walk)
        self._snapshot.changes()
        inner.remember(inner_functions, self._function, self.names, self.codes)

    def manifest(self, built: "Built | None" = None) -> "dict[str, Any]":
        """A JSON-able dict of everything the trace read; raises Refused where something cannot be made part of the key."""
        if self._refusal is not None:
            raise Passing(self._refusal)
        if not self._executed.saw_all:
            raise Refused("a profiler is set while it is traced")
        names = self.names
        self._watch.check(self._executed, self._snapshot)
        values = self._watch.values(self._snapshot)
        found = self._snapshot.filtered(names, frozenset(id(v) for v in values))
        if numpy_is_named(found):
            unread = [t for t in tensors(found) if not any(t is v for v in values)]
            if unread:
                values += unread
                found = self._snapshot.filtered(names, frozenset(id(v) for v in values))
        if found.opaque:
            raise Refused(words.opaque(found, found.opaque[0]))
        if self._stale is not None and any(v is self._stale for v in found.objects):
            raise inner.refusal(self._stale)
        hashing.check(self._user_codes, found)
        buffers.check(self.codes, self._user_codes)
        at_large = self._snapshot.filtered(names.at_large(), frozenset(id(v) for v in values))
        reached.check(self._executed, at_large)
        passed_on.check(reached.originals(self._executed.codes), at_large.objects)
        changes = effects.Changes(self._snapshot, built or Built(), names if others.threads() else None)
        changes.check(self._user_codes)
        self.changes, self.tensors = changes.all, changes.tensors()
        return {
            "schema": manifest.SCHEMA,
            "names": names.to_json(),
            "state": {"digest": found.digest(), "lines": manifest.pack(found.lines)},
            "at_large": {"digest": at_large.digest(), "lines": manifest.pack(at_large.lines)},
            "values": [self._snapshot.walk.path(self._snapshot.walk.numbers[id(v)]) for v in values],
            "effects": changes.to_json(),
            "library": library.record(self.codes, self._before, found),
            **self._watch.record(),
        }
