"""What the trace changed of objects: what a replay repeats, and what it could not.

Attributes, globals, variables of closures and what lists and dictionaries hold are repeated, whoever changed them, where they were set to
plain values, which are kept, or to tensors of the trace's graph (`kept_tensors`). Of the user's nothing else may change, since a replay
would leave it undone. What frameworks change on their own objects while they build (optimizers, metrics, layers) is told apart: recipes
repeat it.
"""

import contextlib
import functools
import sys
import types
import weakref

from firststep_agent import kinds, ownership
from firststep_agent.boost.cache_functions.reads import kept_tensors, made, places, plain_values
from firststep_agent.boost.cache_functions.reads.snapshot import Snapshot
from firststep_agent.boost.objects import bytecode, expand, leaves, paths, roots, special, words
from firststep_agent.boost.objects.refusal import Refused

# Functions whose stores are part of a build, which recipes repeat.
_BUILDS = frozenset(("build", "tf__build", "__init__", "tf____init__"))

_DEEP = 20  # lists in a list
_KEYS = kinds.numbers((type(None), bool, int, str))


class Change:
    """One place that the trace set. step: of `places`, from the owner to it. before, after: [the value], or [] where there was none.

    became: called with what a trace which was put off has left there.
    """

    def __init__(self, owner, step, before, after, became=None):
        self._owner, self.step, self._before, self.after = _given(owner), step, _given(before), after
        self.became = became

    @property
    def owner(self):
        """The object, or None once it has gone."""
        return self._owner()

    @property
    def before(self):
        return self._before()

    @before.setter
    def before(self, then):
        self._before = _given(then)

    def let_go(self, owner):
        """It has been repeated: what it holds is kept alive no longer. owner(): gives that, or None."""
        self._owner, self.after = owner, []
        self._before = _weakly(self.step, self.before)

    def repeat(self):
        """Sets it. What the trace sets does not depend on what was there: where it reads that, the key holds it."""
        self.before = self.held()
        self.set(self.after)

    def held(self):
        """[What is there now], or []."""
        owner = self.owner
        return [] if owner is None else places.place(owner, self.step).held()

    def set(self, then):
        """then: [what is to be there], or []."""
        owner = self.owner
        if owner is None:
            return
        place = places.place(owner, self.step)
        if then:
            place.set(then[0])
        elif place.held():
            place.clear()


class Changes:
    """All that `snapshot` shows to be repeatable. built: {id: (object, its attributes or what it holds)} right after builds."""

    def __init__(self, snapshot, built):
        self._snapshot = snapshot
        self._built = built
        self._numbers: dict = {}  # (number of the object, step) -> (Change or None, how it is told)
        self._told = kept_tensors.Told()
        self._plain = plain_values.ToldValues(snapshot)
        self._new = made.ToldContainers(self._tell, _check_key)
        for number, step in snapshot.changes():
            owner = snapshot.walk.objects[number]
            step = places.step_of(owner, step)
            if step is not None and (number, step) not in self._numbers:
                self._numbers[number, step] = self._change(owner, step)
        self.all = [change for change, _ in self._numbers.values() if change is not None]

    def _change(self, owner, step):
        change = Change(owner, step, [], [])
        change.after = change.held()
        try:
            if step in places.CONTENTS:
                return self._of_contents(change)
            return self._of_value(change)
        except kept_tensors.NotTold:
            return None, None

    def _of_value(self, change):
        owner, step = change.owner, change.step
        held = dict(self._snapshot.kept[id(owner)][1][1])
        change.before = places.within(held, step)
        if id(owner) in self._built and step[0] == ".":
            change.before = places.within(self._built[id(owner)][1], step[1:])
        for value in change.before:
            _check_may_go(value)
        return change, change.after and self._tell(change.after[0])

    def _of_contents(self, change):
        first = _pairs_before(change, self._snapshot.kept[id(change.owner)][1])
        change.before = [first]
        if id(change.owner) in self._built:
            change.before = [places.pairs(self._built[id(change.owner)][1])]
        before = [[key, _tell_before(value)] for key, value in first]
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

    def _tell(self, value):
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
        return self._told.number(value) if kind is None else {"new": self._new.number(value, kind)}

    def tensors(self):
        """The trace's own that it leaves behind."""
        return self._told.values()

    def check(self, user_codes):
        """Raises Refused where the trace changed an object of the user's otherwise."""
        stored = _Stored(user_codes)
        for number, step in self._snapshot.changes():
            change, _ = self._numbers.get((number, places.step_of(self._snapshot.walk.objects[number], step)), (None, None))
            if change is None and _by_user(self._snapshot.walk, number, step, stored):
                owner, expression = words.holder(self._snapshot.walk, number, None if step is None or step[0] in "#@&" else step)
                raise Refused(f"tracing changes `{expression}` of {owner}, which a replay would not do")

    def to_json(self):
        """`set`: [[path of the owner before the trace, its class, step, after]], after being what _tell gives or [], or what a list or a
        dictionary held before and holds after, as [[key or None, value]]."""
        walk = self._snapshot.walk
        found = [[walk.path(number), kinds.qualname(type(change.owner)), step, told]
                 for (number, step), (change, told) in self._numbers.items() if change is not None]
        return {"set": found, "graphs": self._told.graphs, "tensors": self._told.tensors, "plain": self._plain.all, "new": self._new.all}


class Recorded:
    """The changes of a manifest, in this process; made before any build, which may move objects.

    Raises LookupError where an object is not there, kept_tensors.NotTold.
    """

    def __init__(self, manifest, python_function):
        kept, self._changes = manifest["effects"], []
        self._owners: list = []  # functions that give them again
        self._function = roots.weakly(python_function)
        self._made = kept_tensors.Made(kept["graphs"], kept["tensors"])
        self._plain = plain_values.MadeValues(kept["plain"], python_function)
        self._new = made.MadeContainers(kept["new"], self._value)
        for path, cls, step, after in kept["set"]:
            owner = paths.resolve(python_function, path)
            if kinds.qualname(type(owner)) != cls:
                raise LookupError(f"a {kinds.qualname(type(owner))} is where a {cls} was, whose `{step.lstrip('.')}` the trace sets")
            self._changes.append(self._change(owner, step, after))
            self._owners.append(functools.partial(_of_class, paths.leading_to(python_function, path), cls))

    def _change(self, owner, step, after):
        if step in places.CONTENTS:
            change = Change(owner, step, [], [], functools.partial(self._contents_became, after["after"]))
            change.after = [self._pairs(change, after)]
            return change
        then = [] if after == [] else [self._value(after)]
        return Change(owner, step, [], then, functools.partial(self._became, after) if _holds_tensors(after) else None)

    def _pairs(self, change, told):
        now = change.held()[0]
        if [[key, _tell_before(value)] for key, value in now] != told["before"]:
            raise LookupError(f"a {kinds.qualname(type(change.owner))} that the trace fills holds something else than it did")
        return [(key, self._value(after, now)) for key, after in told["after"]]

    def _value(self, told, now=()):
        if isinstance(told, list):
            return plain_values.one_of_its_kind(told[0])
        if isinstance(told, int):
            return self._made.tensor(told)
        ((kind, which),) = told.items()
        if kind == "was":
            return now[which][1]
        return {"plain": self._plain.value, "new": self._new.value, "at": self._at}[kind](which)

    def _at(self, path):
        found = paths.resolve(self._function(), path)
        if not kept_tensors.is_one(found) and not made.is_tracker(found):
            raise LookupError("there is no tensor of a trace where one was")
        return found

    def _contents_became(self, told, pairs):
        for (_, after), (_, value) in zip(told, pairs):
            self._became(after, value)

    def _became(self, after, value):
        if isinstance(after, int):
            self._made.became(after, value)
        elif isinstance(after, dict) and "new" in after and made.kind_of(value):
            for told, (_, item) in zip(self._new.items(after["new"]), made.items_of(value)):
                self._became(told, item)

    def repeat(self):
        """Sets what the trace would have set."""
        repeat(self._changes)

    def put_back(self):
        """As if it had not been repeated."""
        put_back(self._changes)

    def let_go(self):
        """They are in place. What they were made on may go when the program lets it go."""
        for change, owner in zip(self._changes, self._owners):
            change.let_go(owner)

    def traced_by(self, trace):
        """trace(): makes the trace that was put off, for what stands for a tensor and is asked for more than it knows."""
        self._made.trace = trace

    @contextlib.contextmanager
    def put_off(self):
        """Around a trace that was put off: it sees the state of then, and leaves what the program has made of it since. Also where it
        sets something on what has come into an object's place since, which the first trace has never met."""
        now = [change.held() for change in self._changes]
        self.put_back()
        snapshot = Snapshot(roots.roots(self._function()))
        try:
            yield
        finally:
            for change in self._changes:
                if change.became is not None and change.held():
                    change.became(change.held()[0])
            put_back(Changes(snapshot, {}).all)
            for change, held in zip(self._changes, now):
                change.set(held)


def _of_class(lead, cls):
    found = lead()
    return found if kinds.qualname(type(found)) == cls else None


def _holds_tensors(told):
    return isinstance(told, int) or isinstance(told, dict) and "new" in told


def places_of(changes):
    """{(id of the owner, step)}, which keeps nothing alive."""
    return frozenset((id(change.owner), change.step) for change in changes)


def repeat(changes):
    """Sets what the trace has set."""
    for change in changes:
        change.repeat()


def put_back(changes):
    """Leaves what was there before: the last first, for two functions may have one global."""
    for change in reversed(changes):
        change.set(change.before)


def _given(value):
    return lambda: value


def _weakly(step, held):
    """A function that gives [what is held] again, or [], without what has gone since."""
    if not held or step not in places.CONTENTS:
        references = [_reference(value) for value in held]
        return lambda: [value() for value in references]
    references = [(key, _reference(value)) for key, value in held[0]]
    return lambda: [[(key, value()) for key, value in references]]


def _reference(value):
    return weakref.ref(value) if kinds.may_be_weak(value) else _given(value)


def _check_may_go(value, depth=0):
    """Raises NotTold where what is left behind would go with it, and what keeps account of it would not know."""
    if plain_values.is_whole(value) or special.is_tensor(type(value)):
        return
    if made.kind_of(value) is None or depth > _DEEP:
        raise kept_tensors.NotTold
    for _, item in made.items_of(value):
        _check_may_go(item, depth + 1)


def _check_key(key):
    if id(type(key)) not in _KEYS:
        raise kept_tensors.NotTold
    _check_length(key)


def _check_length(value):
    if type(value) is int and leaves.is_long(value):
        raise kept_tensors.NotTold


def _tell_before(value):
    """JSON-able: what is told of a value that is compared with itself in another process. A number is not equal to its like."""
    return [plain_values.words(value)] if plain_values.is_whole(value) else None


def _pairs_before(change, kept):
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
    if not head.endswith(expand.head_of_keys(before)):
        raise kept_tensors.NotTold
    return list(zip(before, values))


class _Stored:
    """What the user's code that ran can change: attribute names it sets, globals it rebinds, names it mentions."""

    def __init__(self, codes):
        self.attributes, self.globals = set(), set()
        self.mentioned: set = set()
        for code in codes:
            self.mentioned.update(code.co_names, code.co_freevars)
            self.globals.update(bytecode.globals_stored(code))
            if code.co_name not in _BUILDS:
                self.attributes.update(bytecode.attributes_stored(code))


def _by_user(found, number, step, stored):
    owner = found.objects[number]
    if type(owner) is types.FunctionType:
        return _function_changed(owner, step, stored)
    if type(owner) is expand.ModuleRead:
        return False
    if owner is sys.modules:  # what a trace is the first to import is as good at a later import
        return False
    if kinds.is_a(owner, types.ModuleType):
        return step is not None and step[1:] in stored.globals | stored.attributes
    if step is not None and step[0] == "." and step[1] != ".":
        return step[1:] in stored.attributes
    return _held_by_user(found, number, stored)


def _function_changed(function, step, stored):
    if not ownership.is_user(function):
        return False
    if step is not None and step.startswith("global "):
        return step[7:] in stored.globals
    return step is not None and step.startswith("cell ")


def _held_by_user(found, number, stored):
    """True for a container that the user's code can name: what a framework keeps for itself it also changes itself."""
    at = number
    while True:
        parent, step = found.parents[at]
        if parent < 0:
            return True
        owner = found.objects[parent]
        if step[0] == "." and step[1] != ".":
            return step[1:] in stored.mentioned and (kinds.is_a(owner, type) or ownership.is_user_class(type(owner)))
        if step.startswith(("global ", "cell ", "default ", "kwdefault ")):
            return type(owner) is types.FunctionType and ownership.is_user(owner)
        if type(owner) is types.FunctionType and not ownership.is_user(owner):
            return False
        at = parent
