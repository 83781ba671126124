"""What the trace changed of objects: what a replay repeats, and what it could not.

Attributes, globals and variables of closures that were set to plain values are repeated, whoever set them: the value after is kept. So
are those that were set to a tensor of the trace's graph (`kept_tensors`). Of the user's nothing else may change, since a replay would
leave it undone. What frameworks change on their own objects while they build (optimizers, metrics, layers) is told apart: recipes
repeat it.
"""

import contextlib
import functools
import sys
import types

from firststep_agent import kinds, ownership
from firststep_agent.boost.cache_functions.reads import kept_tensors
from firststep_agent.boost.objects import bytecode, expand, paths, special, words
from firststep_agent.boost.objects.refusal import Refused

# Functions whose stores are part of a build, which recipes repeat.
_BUILDS = frozenset(("build", "tf__build", "__init__", "tf____init__"))

_PLAIN = kinds.numbers((type(None), bool, int, float, str))


class Change:
    """One attribute, global or variable of a closure that the trace set. step: of a walk, from the owner to it. before, after: [the
    value], or [] where there was none.

    became: called with the tensor that a trace which was put off has left there.
    """

    def __init__(self, owner, step, before, after, became=None):
        self.owner, self.step, self.before, self.after = owner, step, before, after
        self.became = became
        self._place = _place(owner, step)

    def repeat(self):
        """Sets it. What the trace sets does not depend on what was there: where it reads that, the key holds it."""
        self.before = self.held()
        self.set(self.after)

    def held(self):
        """[What is there now], or []."""
        return self._place.held()

    def set(self, then):
        """then: [what is to be there], or []."""
        if then:
            self._place.set(then[0])
        elif self.held():
            self._place.clear()


def _place(owner, step):
    if step[0] == ".":
        return _Attribute(owner, step[1:])
    if step.startswith("global "):
        return _Global(owner.__globals__, step[7:])
    return _Cell(owner.__closure__[owner.__code__.co_freevars.index(step[5:])])


class _Attribute:
    """Of an object, past what its class makes of it."""

    def __init__(self, owner, name):
        self._owner, self._name = owner, name
        self._kind = type if kinds.is_a(owner, type) else object

    def held(self):
        return _held(kinds.own(self._owner), self._name)

    def set(self, value):
        self._kind.__setattr__(self._owner, self._name, value)

    def clear(self):
        self._kind.__delattr__(self._owner, self._name)


class _Global:
    """Of a module, or of whatever code runs in."""

    def __init__(self, scope, name):
        self._scope, self._name = scope, name

    def held(self):
        return _held(self._scope, self._name)

    def set(self, value):
        self._scope[self._name] = value

    def clear(self):
        del self._scope[self._name]


class _Cell:
    """Of a function that is inside another."""

    def __init__(self, cell):
        self._cell = cell

    def held(self):
        try:
            return [self._cell.cell_contents]
        except ValueError:  # not yet assigned
            return []

    def set(self, value):
        self._cell.cell_contents = value

    def clear(self):
        del self._cell.cell_contents


class Changes:
    """All that `snapshot` shows to be repeatable. built: {id: (object, its attributes)} right after builds."""

    def __init__(self, snapshot, built):
        self.all: list = []
        self._snapshot = snapshot
        self._numbers: dict = {}  # (number of the object, step) -> Change
        self._told = kept_tensors.Told()
        for number, step in snapshot.changes():
            change = self._change(number, step, built)
            if change is not None:
                self._numbers[number, step] = change
                self.all.append(change)

    def _change(self, number, step, built):
        owner = self._snapshot.walk.objects[number]
        if not _has_place(owner, step):
            return None
        before = _held(dict(self._snapshot.kept[id(owner)][1][1]), step)
        if id(owner) in built and step[0] == ".":
            before = _held(built[id(owner)][1], step[1:])
        change = Change(owner, step, before, [])
        change.after = change.held()
        return change if self._is_repeatable(before, change.after) else None

    def _is_repeatable(self, before, after):
        if not all(id(type(one)) in _PLAIN or special.is_tensor(type(one)) for one in before):
            return False  # what is left there would go, and what keeps account of it would not know
        if not after or id(type(after[0])) in _PLAIN:
            return True
        try:
            self._told.number(after[0])
        except kept_tensors.NotTold:
            return False
        return True

    def check(self, user_codes):
        """Raises Refused where the trace changed an object of the user's otherwise."""
        stored = _Stored(user_codes)
        for number, step in self._snapshot.changes():
            if (number, step) not in self._numbers and _by_user(self._snapshot.walk, number, step, stored):
                owner, expression = words.holder(self._snapshot.walk, number, None if step is None or step[0] in "#@&" else step)
                raise Refused(f"tracing changes `{expression}` of {owner}, which a replay would not do")

    def to_json(self):
        """`set`: [[path of the owner before the trace, its class, step, [value] or [], or the number of a tensor]]."""
        walk = self._snapshot.walk
        found = []
        for (number, _), change in self._numbers.items():
            after = change.after
            if after and id(type(after[0])) not in _PLAIN:
                after = self._told.number(after[0])
            found.append([walk.path(number), kinds.qualname(type(change.owner)), change.step, after])
        return {"set": found, "graphs": self._told.graphs, "tensors": self._told.tensors}


class Recorded:
    """The changes of a manifest, in this process; made before any build, which may move objects.

    Raises LookupError where an object is not there, kept_tensors.NotTold.
    """

    def __init__(self, manifest, python_function):
        kept, self._changes = manifest["effects"], []
        self._made = kept_tensors.Made(kept["graphs"], kept["tensors"])
        for path, cls, step, after in kept["set"]:
            owner = paths.resolve(python_function, path)
            if kinds.qualname(type(owner)) != cls:
                raise LookupError(f"a {kinds.qualname(type(owner))} is where a {cls} was, whose `{step.lstrip('.')}` the trace sets")
            self._changes.append(self._change(owner, step, after))

    def _change(self, owner, step, after):
        if isinstance(after, list):
            return Change(owner, step, [], after)
        return Change(owner, step, [], [self._made.tensor(after)], functools.partial(self._made.became, after))

    def repeat(self):
        """Sets what the trace would have set."""
        repeat(self._changes)

    def put_back(self):
        """As if it had not been repeated."""
        put_back(self._changes)

    def traced_by(self, trace):
        """trace(): makes the trace that was put off, for what stands for a tensor and is asked for more than it knows."""
        self._made.trace = trace

    @contextlib.contextmanager
    def put_off(self):
        """Around a trace that was put off: it sees the state of then, and leaves what the program has made of it since."""
        now = [change.held() for change in self._changes]
        self.put_back()
        try:
            yield
        finally:
            for change, held in zip(self._changes, now):
                if change.became is not None and change.held():
                    change.became(change.held()[0])
                change.set(held)


def repeat(changes):
    """Sets what the trace has set."""
    for change in changes:
        change.repeat()


def put_back(changes):
    """Leaves what was there before: the last first, for two functions may have one global."""
    for change in reversed(changes):
        change.set(change.before)


def _held(held, name):
    return [held[name]] if name in held else []


def _has_place(owner, step):
    """Whether a value can be set there."""
    if step is None or type(owner) is expand.ModuleRead:
        return False
    if type(owner) is types.FunctionType and step.startswith(("global ", "cell ")):
        return True
    return step[0] == "." and step[1] != "." and step[1:] not in special.unread(type(owner), True) and not _is_slot(type(owner), step[1:])


def _is_slot(cls, name):
    return any(type(kinds.namespace(base).get(name)) is types.MemberDescriptorType for base in kinds.mro(cls))


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
