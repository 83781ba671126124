"""What a build may change: the object and its parts, as they are, and how they are put back as if nothing had been built."""

import sys

from firststep_agent import kinds, streams
from firststep_agent.boost.traces import others

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


def state(target: "Any") -> "dict[int, tuple[Any, dict[str, Any]]]":
    """{id: (object, its attributes)} of what a build may have changed, right after it."""
    return {} if target is None else {id(part): (part, dict(vars(part))) for part in parts(target)}


def contents(target: "Any") -> "dict[int, tuple[Any, Any]]":
    """{id: (container, what it holds)} of what a build may have changed, right after it."""
    held = [] if target is None else [each for part in parts(target) for each in _containers(vars(part))]
    return {id(each): (each, _copy(each)) for each in held}


AWAITED = "_self_unconditional_deferred_dependencies"  # by name: what a checkpoint has for attributes that are not there yet


def checkpoints(target: "Any") -> "list[Any]":
    """What keeps the state of each checkpoint that was restored before what a build makes was there: it hands each value out once."""
    held = (each for part in ([] if target is None else parts(target)) for each in (part, *kinds.own(part).values()))
    waiting = (position for each in held for found in (kinds.own(each).get(AWAITED) or {}).values() for position in found)
    return list({id(each): each for each in (position.checkpoint for position in waiting)}.values())


class Undo:
    """Objects and random streams as they are now, to be put back after a build."""

    def __init__(self) -> None:
        self._streams = streams.positions()
        self._states: list[_KerasAttribute | _AsItWas] = []

    def add(self, target: "Any") -> None:
        """Before the target is built; None: Keras's global seed generator."""
        if _of_keras() is not None:
            self._states.append(_KerasAttribute(_SEEDS if target is None else _UNFILLED))
        if target is not None:
            self._states.extend(map(_AsItWas, (*parts(target), *checkpoints(target))))

    def now(self) -> None:
        """As if nothing had been built since."""
        while self._states:
            self._states.pop().restore()
        streams.take_back(self._streams, others.may_run())


class _AsItWas:
    """An object's attributes, and the content of the lists, dictionaries and sets among them, to be put back; with what tracked ones
    note of themselves, by which TensorFlow tells that nobody has changed them behind its back."""

    def __init__(self, target: "Any") -> None:
        notes = [kinds.own(value) for value in vars(target).values() if _is_tracked(value)]
        self._attributes = [(held, dict(held)) for held in (vars(target), *notes)]
        self._contents = [(c, _copy(c)) for held in (vars(target), *notes) for c in _containers(held)]

    def restore(self) -> None:
        for attributes, kept in self._attributes:
            attributes.clear()
            attributes.update(kept)
        for container, content in self._contents:
            kind = list if isinstance(container, list) else dict if isinstance(container, dict) else set
            kind.clear(container)
            (kind.extend if kind is list else kind.update)(container, content)


def _is_tracked(value: "Any") -> bool:
    """Whether it is a list or a dictionary with attributes of its own."""
    return kinds.is_a(value, (list, dict)) or type(value).__name__ == "_DictWrapper"


def _containers(held: "dict[str, Any]") -> "list[Any]":
    """The lists, dictionaries and sets among an object's attributes."""
    found = []
    for value in held.values():
        value = _WITHIN.get(type(value).__name__, _itself)(value)
        if isinstance(value, (list, dict, set)):
            found.append(value)
            storage = vars(value).get("_storage") if hasattr(value, "__dict__") else None
            if isinstance(storage, list):  # TensorFlow's tracked lists keep their items there
                found.append(storage)
            if isinstance(value, dict):  # Keras's trackers keep what they have seen in sets by name
                found.extend(inner for inner in dict.values(value) if type(inner) is set)
    return found


def _itself(value: "Any") -> "Any":
    return value


_WITHIN = {  # kind -> the dictionary or the set in which it keeps what it holds; the last two are a checkpoint's
    "_DictWrapper": lambda value: getattr(value, "__wrapped__", value),
    "WeakValueDictionary": lambda value: value.data,
    "ObjectIdentityWeakSet": lambda value: value._storage,
}


def _copy(container: "Any") -> "list[Any] | dict[Any, Any] | set[Any]":
    if isinstance(container, list):
        return list(list.__iter__(container))
    return dict(dict.items(container)) if isinstance(container, dict) else set(container)


class _KerasAttribute:
    """One of Keras 3's global attributes as it is, or is not; of a list, what it holds."""

    def __init__(self, name: str) -> None:
        self._name, self._was = name, {each: value for each, value in (_of_keras() or {}).items() if each == name}
        self._held = [(value, list(value)) for value in self._was.values() if type(value) is list]

    def restore(self) -> None:
        attributes = _of_keras() or {}
        attributes.pop(self._name, None)
        attributes.update(self._was)
        for value, held in self._held:
            value[:] = held


_SEEDS = "global_seed_generator"
_UNFILLED = "uninitialized_variables"  # of a build that is broken off before it comes to fill them


def _of_keras() -> "dict[str, Any] | None":
    """Keras 3's global attributes of this thread; None with Keras 2."""
    module = sys.modules.get("keras.src.backend.common.global_state")
    tracker = getattr(module, "GLOBAL_STATE_TRACKER", None)
    return None if tracker is None else vars(tracker)


def parts(target: "Any") -> "Iterator[Any]":
    """The object and all that its build may touch, with Keras's tracker of each: once built, it is locked."""
    objects = [target]
    inner = getattr(target, "_flatten_layers", None)
    if inner is not None:
        objects.extend(inner(include_self=False, recursive=True))
    optimizer = vars(target).get("inner_optimizer")
    if optimizer is not None:
        objects.append(optimizer)
    if type(target).__name__ in _CONTAINERS:
        objects.extend(_held(target))
    for each in objects:
        yield each
        if vars(each).get("_tracker") is not None:
            yield vars(each)["_tracker"]


_CONTAINERS = ("LossesContainer", "MetricsContainer")  # Keras 2's


def _held(container: "Any") -> "Iterator[Any]":
    """Losses and metrics that the program made: a container's build writes on them that a mean over the batch is allowed."""
    waiting = [getattr(container, name, None) for name in ("_losses", "_metrics", "_weighted_metrics")]
    for each in waiting:
        if isinstance(each, (list, tuple)):
            waiting.extend(each)
        elif isinstance(each, dict):
            waiting.extend(each.values())
        elif hasattr(each, "get_config") and not isinstance(each, type):
            yield each
