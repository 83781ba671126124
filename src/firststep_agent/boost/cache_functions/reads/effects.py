"""What the trace changed of objects: what a replay repeats, and what it could not.

Attributes, globals, variables of closures and what lists and dictionaries hold are repeated, whoever changed them, where they were set to
plain values, which are kept, or to tensors of the trace's graph (`kept_tensors`). Of the user's nothing else may change, since a replay
would leave it undone. What frameworks change on their own objects while they build (optimizers, metrics, layers) is told apart: recipes
repeat it.
"""

from firststep_agent import kinds
from firststep_agent.boost.cache_functions.reads import kept_tensors, made, places, plain_values
from firststep_agent.boost.cache_functions.reads.change import Change
from firststep_agent.boost.cache_functions.reads.changers import UsersStores, by_user
from firststep_agent.boost.cache_functions.reads.snapshot import same
from firststep_agent.boost.objects import leaves, special, words
from firststep_agent.boost.objects.parts import instances
from firststep_agent.boost.objects.parts.containers import head_of_keys
from firststep_agent.boost.objects.refusal import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import CodeType
    from typing import Any

    from firststep_agent.boost.cache_functions.reads.built import Built
    from firststep_agent.boost.cache_functions.reads.names import Names
    from firststep_agent.boost.cache_functions.reads.snapshot import Snapshot

_DEEP = 20  # lists in a list
_KEYS = kinds.numbers((type(None), bool, int, str))


class Changes:
    """All that `snapshot` shows to be repeatable, less what builds have done, which recipes repeat. names: where other threads run, those
    that count of the trace: what stands under others has been changed by those threads. Should it have been the trace all the same, the
    second trace shows it."""

    def __init__(self, snapshot: "Snapshot", built: "Built", names: "Names | None" = None) -> None:
        self._names = names
        self._snapshot = snapshot
        self._built = built
        self._numbers: dict[tuple[int, str | None], tuple[Change | None, Any]] = {}  # (object's number, step) -> (…, how it is told)
        self._told = kept_tensors.Told()
        self._plain = plain_values.ToldValues(snapshot)
        self._new = made.ToldContainers(_check_key)
        for number, step in snapshot.changes():
            owner = snapshot.walk.objects[number]
            step = places.step_of(owner, step)
            if step is not None and (number, step) not in self._numbers and not self._is_of_others(number, step):
                self._numbers[number, step] = self._change(owner, step)
        self._of_built = [told for owner, held, place in built.made(snapshot.kept) for told in self._changed_since(owner, held, place)]
        done = [key for key, (change, _) in self._numbers.items() if change and built.is_as_left(change.owner, change.step, change.after)]
        self._by_builds = {key: self._numbers.pop(key) for key in done}
        self.all = [change for change, _ in self._numbers.values() if change is not None] + [change for _, change, _ in self._of_built]

    def _is_of_others(self, number: int, step: str) -> bool:
        walk = self._snapshot.walk
        while step[0] != "." or step[1:2] == ".":  # to the attribute that leads there
            number, step = walk.parents[number]
            if number < 0:
                return False
        named = {} if self._names is None else self._names.by_kind
        known = named.get(instances.whose(type(walk.objects[number])))
        return known is not None and step[1:] not in known

    def _change(self, owner: "Any", step: str) -> "tuple[Change | None, Any]":
        change = Change(owner, step, [], [])
        change.after = change.held()
        try:
            if step in places.CONTENTS:
                return self._of_contents(change)
            return self._of_value(change)
        except kept_tensors.NotTold:
            return None, None

    def _of_value(self, change: "Change") -> "tuple[Change, Any]":
        owner, step = change.owner, change.step
        held = dict(self._snapshot.kept[id(owner)][1][1])
        left = self._built.left(owner, step)
        change.before = places.within(held, step) if left is None else left
        return change, self._told_of(change)

    def _told_of(self, change: "Change") -> "Any":
        """How is told what is at the place of an attribute now. Raises NotTold."""
        for value in change.before:
            _check_may_go(value)
        return change.after and self._tell(change.after[0])

    def _changed_since(self, owner: "Any", held: "dict[str, Any]", place: "tuple[int, int]") -> "Iterator[tuple[Any, Change, Any]]":
        """(place, Change, how it is told) of each attribute that the trace has set on what a build has made."""
        now = kinds.own(owner)
        for name in {**held, **now}:
            before, after = places.within(held, name), places.within(now, name)
            if len(before) == len(after) and all(map(same, before, after)):
                continue
            change = Change(owner, "." + name, before, after)
            try:
                yield place, change, self._told_of(change)
            except kept_tensors.NotTold:
                continue

    def _of_contents(self, change: "Change") -> "tuple[Change, dict[str, Any]]":
        first = _pairs_before(change, self._snapshot.kept[id(change.owner)][1])
        left = self._built.left(change.owner, change.step)
        change.before = [first] if left is None else left
        before = [[key, tell_before(value)] for key, value in first]
        were = {id(value): at for at, (_, value) in enumerate(first)}
        after = []
        for key, value in change.after[0]:
            _check_key(key)
            after.append([key, {"was": were[id(value)]} if id(value) in were else self._tell(value)])
        stay = {id(value) for _, value in change.after[0]}
        for _, value in first:
            if id(value) not in stay:
                _check_may_go(value)
        return change, {"before": before, "after": after}

    def _tell(self, value: "Any") -> "list[Any] | dict[str, Any] | int":
        """JSON-able: [value], the number of a tensor, or which plain value, tensor or tracker of before the trace it is, or which list that
        the trace has made. Raises NotTold."""
        if plain_values.is_whole(value):
            for leaf in plain_values.leaves_of(value):
                _check_length(leaf)
            return [value] if plain_values.is_one_of_its_kind(value) else {"plain": self._plain.number(value)}
        number = self._snapshot.walk.numbers.get(id(value))
        if number is not None and (kept_tensors.is_one(value) or made.is_tracker(value)):
            return {"at": self._snapshot.walk.path(number)}
        kind = None if number is not None else made.kind_of(value)
        return self._told.number(value) if kind is None else {"new": self._new.number(value, kind, self._tell)}

    def tensors(self) -> "list[Any]":
        """The trace's own that it leaves behind."""
        return self._told.values()

    def check(self, user_codes: "Iterable[CodeType]") -> None:
        """Raises Refused where the trace changed an object of the user's otherwise."""
        stored = UsersStores(user_codes)
        for number, step in self._snapshot.changes():
            key = number, places.step_of(self._snapshot.walk.objects[number], step)
            change, _ = self._by_builds.get(key) or self._numbers.get(key, (None, None))
            if change is None and by_user(self._snapshot.walk, number, step, stored):
                owner, expression = words.holder(self._snapshot.walk, number, None if step is None or step[0] in "#@&" else step)
                raise Refused(f"tracing changes `{expression}` of {owner}, which a replay would not do")

    def to_json(self) -> "dict[str, Any]":
        """`set`: [[path of the owner before the trace, its class, step, after]], after being what _tell gives or [], or what a list or a
        dictionary held before and holds after, as [[key or None, value]]. `built`: [[number of the build that made the owner, its place
        there, its class, step, after]]."""
        walk = self._snapshot.walk
        found = [[walk.path(number), kinds.qualname(type(change.owner)), step, told]
                 for (number, step), (change, told) in self._numbers.items() if change is not None]
        built = [[*place, kinds.qualname(type(change.owner)), change.step, told] for place, change, told in self._of_built]
        return {"set": found, "built": built, "graphs": self._told.graphs, "tensors": self._told.tensors,
                "plain": self._plain.all, "new": self._new.all}


def _check_may_go(value: "Any", depth: int = 0) -> None:
    """Raises NotTold where what is left behind would go with it, and what keeps account of it would not know."""
    if plain_values.is_whole(value) or special.is_tensor(type(value)):
        return
    if made.kind_of(value) is None or depth > _DEEP:
        raise kept_tensors.NotTold
    for _, item in made.items_of(value):
        _check_may_go(item, depth + 1)


def _check_key(key: "Any") -> None:
    if id(type(key)) not in _KEYS:
        raise kept_tensors.NotTold
    _check_length(key)


def _check_length(value: "Any") -> None:
    if type(value) is int and leaves.is_long(value):
        raise kept_tensors.NotTold


def tell_before(value: "Any") -> "list[Any] | None":
    """JSON-able: what is told of a value that is compared with itself in another process. A number is not equal to its like."""
    return [plain_values.words(value)] if plain_values.is_whole(value) else None


def _pairs_before(change: "Change", kept: "tuple[str, Sequence[tuple[str, Any]], int | None]") -> "list[tuple[Any, Any]]":
    """What a list or a dictionary held: [(key or None, value)]. Of a dictionary the keys are known only as words: they are those that
    it holds now, from the first on. Raises NotTold."""
    head, children, _ = kept
    values = [value for step, value in children if step[0] in "#@"]
    if change.step == "items":
        return [(None, value) for value in values]
    keys = [key for key, _ in change.after[0]]
    if any(step[0] == "&" for step, _ in children) or len(keys) < len(values):
        raise kept_tensors.NotTold
    for key in keys:
        _check_key(key)
    before = keys[:len(values)]
    if not head.endswith(head_of_keys(before)):
        raise kept_tensors.NotTold
    return list(zip(before, values))
