"""What a trace set, as a manifest tells it, set again in this process: `effects` tells it."""

import contextlib
import functools

from firststep_agent import kinds
from firststep_agent.boost.cache_functions.reads import effects, kept_tensors, made, places, plain_values
from firststep_agent.boost.cache_functions.reads.built import Built
from firststep_agent.boost.cache_functions.reads.change import Change, put_back, reference_to, repeat
from firststep_agent.boost.cache_functions.reads.snapshot import Snapshot
from firststep_agent.boost.objects import paths, roots
from firststep_agent.boost.traces import others

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any


class _Place:
    """change: the Change there, in an object of the class cls; told: what is there after it; owner(): gives the object again, or None."""

    def __init__(self, change: "Change", cls: str, told: "Any", owner: "Callable[[], Any]") -> None:
        self.change, self.cls, self.told, self.owner = change, cls, told, owner


class Repeated:
    """The changes of a manifest, in this process; made before any build, which may move objects. Of what builds make: are_built().

    Raises LookupError where an object is not there, kept_tensors.NotTold.
    """

    def __init__(self, manifest: "Any", python_function: "Any") -> None:
        kept = manifest["effects"]
        self._function = roots.weakly(python_function)
        self._made = kept_tensors.Made(kept["graphs"], kept["tensors"])
        self._plain = plain_values.MadeValues(kept["plain"], python_function)
        self._new = made.MadeContainers(kept["new"])
        self._places = [self._place(python_function, *told) for told in kept["set"]]
        self._of_built = kept["built"]

    def _place(self, python_function: "Any", path: "Any", cls: str, step: str, after: "Any") -> "_Place":
        owner = paths.resolve(python_function, path)
        _check_class(owner, cls, step)
        again = functools.partial(_of_class, paths.leading_to(python_function, path), cls)
        return _Place(self._change(owner, step, after), cls, after, again)

    def builds(self) -> "frozenset[int]":
        """Numbers of the builds that make something on which the trace then sets something."""
        return frozenset(build for build, *_ in self._of_built)

    def are_built(self, touched: "dict[int, list[Any]]") -> None:
        """The builds have been made; touched: by their numbers, what those of builds() touched. Raises LookupError."""
        for build, place, cls, step, after in self._of_built:
            owner = touched[build][place]
            _check_class(owner, cls, step)
            self._places.append(_Place(self._change(owner, step, after), cls, after, reference_to(owner)))

    @property
    def all(self) -> "list[Change]":
        """The changes, in their order."""
        return [place.change for place in self._places]

    def tensors(self) -> "list[Any]":
        """Tensors of a graph that are at their places now: a trace for real has left them."""
        found: list = []
        for place in self._places:
            for value in place.change.held():
                _collect([each for _, each in value] if place.change.step in places.CONTENTS else [value], found)
        return found

    def _change(self, owner: "Any", step: str, after: "Any") -> "Change":
        if step in places.CONTENTS:
            change = Change(owner, step, [], [])
            change.after = [self._pairs(change, after)]
            return change
        return Change(owner, step, [], [] if after == [] else [self._value(after)])

    def _pairs(self, change: "Change", told: "dict[str, Any]") -> "list[tuple[Any, Any]]":
        now = change.held()[0]
        if [[key, effects.tell_before(value)] for key, value in now] != told["before"]:
            raise LookupError(f"a {kinds.qualname(type(change.owner))} that the trace fills holds something else than it did")
        return [(key, self._value(after, now)) for key, after in told["after"]]

    def _value(self, told: "Any", now: "Sequence[tuple[Any, Any]]" = ()) -> "Any":
        if isinstance(told, list):
            return plain_values.one_of_its_kind(told[0])
        if isinstance(told, int):
            return self._made.tensor(told)
        ((kind, which),) = told.items()
        if kind == "was":
            return now[which][1]
        if kind == "new":
            return self._new.value(which, self._value)
        return self._plain.value(which) if kind == "plain" else self._at(which)

    def _at(self, path: "Any") -> "Any":
        found = paths.resolve(self._function(), path)
        if not kept_tensors.is_one(found) and not made.is_tracker(found):
            raise LookupError("there is no tensor of a trace where one was")
        return found

    def _has_become(self, step: str, told: "Any", value: "Any") -> None:
        """A trace that was put off has left `value` in such a place."""
        if step in places.CONTENTS:
            for (_, after), (_, held) in zip(told["after"], value):
                self._became(after, held)
        else:
            self._became(told, value)

    def _became(self, after: "Any", value: "Any") -> None:
        if isinstance(after, int):
            self._made.became(after, value)
        elif isinstance(after, dict) and "new" in after and made.kind_of(value):
            for told, (_, item) in zip(self._new.items(after["new"]), made.items_of(value)):
                self._became(told, item)

    def begin(self) -> None:
        """A trace for real begins, which sets it itself."""
        for change in self.all:
            change.begin()

    def repeat(self) -> None:
        """Sets what the trace would have set."""
        repeat(self.all)

    def put_back(self) -> None:
        """As if it had not been repeated."""
        put_back(self.all)

    def let_go(self) -> None:
        """They are in place. What they were made on may go when the program lets it go."""
        for place in self._places:
            place.change.let_go(place.owner)

    def traced_by(self, trace: "Callable[[], object]") -> None:
        """trace(): makes the trace that was put off, for what stands for a tensor and is asked for more than it knows. It leads to what
        holds this: a circle, only where there is such a tensor."""
        if self._made.any():
            self._made.trace = trace

    @contextlib.contextmanager
    def put_off(self) -> "Iterator[None]":
        """Around a trace that was put off: it sees the state of then, and leaves what the program has made of it since. Also where it
        sets something on what has come into an object's place since, which the first trace has never met. What other threads may have
        set meanwhile stays."""
        now = [place.change.held() for place in self._places]
        self.put_back()
        snapshot = Snapshot(roots.roots(self._function()))
        try:
            yield
        finally:
            for place in self._places:
                for value in place.change.held():
                    self._has_become(place.change.step, place.told, value)
            found = effects.Changes(snapshot, Built()).all
            put_back([change for change in found if self._is_the_traces(change)] if others.may_run() else found)
            for place, held in zip(self._places, now):
                place.change.set(held)

    def _is_the_traces(self, change: "Change") -> bool:
        """Whether a trace has changed that: in it is a tensor of its graph, or it sets such a place of such an object as the first did."""
        left: list[Any] = []
        values = change.held()
        _collect([each for value in values for _, each in value] if change.step in places.CONTENTS else values, left)
        cls = kinds.qualname(type(change.owner))
        return bool(left) or any((cls, change.step) == (each.cls, each.change.step) for each in self._places)


def _check_class(owner: "Any", cls: str, step: str) -> None:
    if kinds.qualname(type(owner)) != cls:
        raise LookupError(f"a {kinds.qualname(type(owner))} is where a {cls} was, whose `{step.lstrip('.')}` the trace sets")


def _collect(values: "list[Any]", found: "list[Any]") -> None:
    """The tensors of a graph among the values, and in containers among them."""
    for value in values:
        if kept_tensors.is_one(value):
            found.append(value)
        elif made.kind_of(value):
            _collect([each for _, each in made.items_of(value)], found)


def _of_class(lead: "Callable[[], Any]", cls: str) -> "Any":
    found = lead()
    return found if kinds.qualname(type(found)) == cls else None
