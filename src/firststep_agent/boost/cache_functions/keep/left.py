"""What a build has left behind, in one digest that is equal in each start where the same was built.

A repeated build comes before all else of its trace, but its code may read what that trace had changed by then: a setting that it moved,
a scope that it held open. What comes out otherwise than when it was learned stands for no trace. Of the program's objects that were there
before, which ones they are counts, and what the build has set: what they hold besides (a run's own number) it has not made.
"""

import types

from firststep_agent import kinds
from firststep_agent.boost.cache_functions.keep import undo
from firststep_agent.boost.objects import leaves, notes, special, walk
from firststep_agent.boost.objects.expand import expand
from firststep_agent.boost.objects.reading import Everything, Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable
    from typing import Any

    from firststep_agent.boost.objects.special import Parts

_OF_THE_CODE = ("global ", "import ", "builtin ")  # what a function reaches besides what was given to it
_SEEDS_MADE = "SeedGenerator.__init__.<locals>.seed_initializer"  # gives the first state of a generator, drawn where none was asked for
# A layer's is set where its name scope is opened, which is before its build or within; the other one is what a checkpoint has for it.
_OF_THE_CALL = frozenset(("_parent_path", undo.AWAITED))
_BUILT = frozenset(("Layer", "BaseOptimizer", "Optimizer", "Metric"))  # layers, models, optimizers, metrics
_CONTAINERS = (list, tuple, dict, set)
_OF_THE_PROGRAM = special.BELOW, *special.OF_NO_FRAMEWORK
_NAMED = (type, types.ModuleType)

_READING, _WITHOUT_CONTENTS = Reading(None, Everything()), Reading()


class Unbuilt:
    """What a build may change, as it is now."""

    def __init__(self, target: "Any") -> None:
        self._target = target
        self._parts = undo.state(target)
        self._there: dict[int, tuple[Any, dict[str, Any]]] = {  # id -> (object, its children by their steps)
            id(part): (part, {f".{name}": value for name, value in held.items()}) for part, held in self._parts.values()}
        roots = [(f"{number}.{name}", value) for number, (_, held) in enumerate(self._parts.values()) for name, value in held.items()]
        self._walk = walk.walk(roots, _READING, self._note)
        self._numbers = {id(value): at for at, value in reversed(list(enumerate(self._walk.objects))) if id(value) in self._there}

    def _note(self, value: "Any") -> "Parts":
        head, children, kind = _apart(value, self._parts)
        if kind in _OF_THE_PROGRAM or kinds.is_a(value, _CONTAINERS):
            self._there.setdefault(id(value), (value, dict(children)))
        return head, children, kind

    def _place(self, value: "Any") -> str:
        """Where it was found before."""
        if id(value) in self._parts:
            return str(list(self._parts).index(id(value)))
        return " ".join(self._walk.path(self._numbers[id(value)]))

    def digest(self, made: "Iterable[str]") -> str:
        """Once it is built. made: in words, the variables in their order.

        What variables hold does not count, which may be drawn: how they were filled does, in `made`. Nor do other layers and models.
        """
        after, roots = undo.state(self._target), []
        for number, (part, attributes) in enumerate(after.values()):
            known = self._parts.get(id(part), (part, {}))[1]
            skipped, retold = notes.unread(type(part), False) | _OF_THE_CALL, notes.retold(type(part))
            changed = [(name, value) for name, value in attributes.items() if name not in skipped and (
                name not in known or known[name] is not value or kinds.is_a(value, _CONTAINERS))]
            roots += [(f"{number}.{name}", retold[name](value) if name in retold else value) for name, value in changed]
        roots += [(f"set {self._place(value)}", value) for value, held in self._there.values() if self._is_set_on(value, held, after)]
        found = walk.walk(roots, _READING, lambda value: self._changed(value, after))
        steps = [step for _, step in found.parents[:len(roots)]]
        return leaves.digest_of("\n".join([*made, *steps, *found.lines]).encode("utf-8", "surrogatepass"))

    def _is_set_on(self, value: "Any", held: "dict[str, Any]", after: "Container[int]") -> bool:
        """Whether it is an object of the program's, besides what is built, on which the build has set something."""
        if id(value) in self._parts:
            return False
        _, children, kind = _apart(value, after)
        return kind in _OF_THE_PROGRAM and any(held.get(step) is not child for step, child in children)

    def _changed(self, value: "Any", after: "Container[int]") -> "Parts":
        head, children, kind = _apart(value, after)
        there = self._there.get(id(value))
        if there is None:
            return head, children, kind
        _, held = there
        new = [(step, child) for step, child in children if step[1:] not in _OF_THE_CALL and (
            step not in held or held[step] is not child or leaves.word(child) is None)]
        return f"{head} at {self._place(value)}", new, kind


def of_variable(initial_value: "Any", keywords: "dict[str, Any]") -> str:
    """A variable that is made, in words. initial_value: what fills it, or gives what does."""
    shape, dtype = keywords.get("shape"), keywords.get("dtype")
    filled = walk.walk([("value", initial_value)], _READING, lambda value: _apart(value, {}))
    return f"{keywords.get('name')} {shape} {dtype} {keywords.get('trainable')} {filled.digest()}"


def _apart(value: "Any", built: "Container[int]") -> "Parts":
    """(head, children, kind) of a value, for a walk."""
    if kinds.is_a(value, _NAMED):
        return expand(value, _READING)[0], (), special.NO_FILTER
    if special.is_variable(type(value)):
        return expand(value, _WITHOUT_CONTENTS)[0], (), special.NO_FILTER
    head, children, kind = expand(value, _READING)
    if type(value) is types.FunctionType:
        if value.__qualname__ == _SEEDS_MADE:
            children = ()
        return head, [(step, child) for step, child in children if not step.startswith(_OF_THE_CODE)], kind
    names = special.frameworks_names(type(value))
    if id(value) not in built and not names.isdisjoint(_BUILT):
        return head, (), kind
    drawn = _drawn(value, names)
    return head, [(step, child) for step, child in children if step not in drawn] if drawn else children, kind


def _drawn(value: "Any", names: "frozenset[str]") -> "tuple[str, ...]":
    """Steps to what is another number in each start where the program gave none."""
    if "RandomInitializer" in names and kinds.own(value).get("_init_seed") is None:
        return (".seed",)
    return (".seed", "._initial_seed") if "SeedGenerator" in names else ()
