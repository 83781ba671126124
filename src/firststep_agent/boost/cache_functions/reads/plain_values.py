"""Plain values that a trace sets, told so that each is the same object again where it was one: `self.best = math.nan`, and then
`self.best is math.nan`; `self.mode = "train"`, and then `self.mode is "train"`; `self.first = self.last = 0.5`."""

import sys

from firststep_agent import kinds
from firststep_agent.boost.objects import paths
from firststep_agent.boost.objects.leaves import word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from firststep_agent.boost.cache_functions.reads.snapshot import Snapshot

_PLAIN = kinds.numbers((type(None), bool, int, float, str))
_DTYPE, _SHAPE = "tensorflow.python.framework.dtypes.DType", "tensorflow.python.framework.tensor_shape.TensorShape"
_SPEC = "tensorflow.python.framework.tensor.TensorSpec"
_SMALL = range(-5, 257)  # numbers of which Python has one each


def is_plain(value: "Any") -> bool:
    """Whether it is no more than its value."""
    return id(type(value)) in _PLAIN


def is_whole(value: "Any") -> bool:
    """Whether it is plain, or made of nothing else and never another: a tuple, a shape, a type or a specification of TensorFlow's."""
    if type(value) is tuple:
        return all(map(is_whole, value))
    return is_plain(value) or is_value(type(value))


def is_value(cls: type) -> bool:
    """Whether it is one of TensorFlow's classes whose objects are what their words say."""
    return kinds.qualified(cls) in (_DTYPE, _SHAPE, _SPEC)


def leaves_of(value: "Any") -> "list[Any]":
    """The plain values that one is made of."""
    if type(value) is tuple:
        return [leaf for each in value for leaf in leaves_of(each)]
    return [value] if is_plain(value) else []


def words(value: "Any") -> "list[Any] | str | None":
    """What is the same, in another process, too, for values that are the same: JSON-able. A number may not be equal to its like."""
    if type(value) is tuple:
        return [words(each) for each in value]
    return word(value) if is_plain(value) else f"{kinds.name(type(value))} {value}"


def _encoded(value: "Any") -> "Any":
    if type(value) is tuple:
        return {"tuple": [_encoded(each) for each in value]}
    if is_plain(value):
        return value
    cls = kinds.qualified(type(value))
    if cls == _SPEC:
        return {"spec": [_encoded(value.shape), _encoded(value.dtype), value.name]}
    return {"dtype": value.name} if cls == _DTYPE else {"shape": None if value.rank is None else value.as_list()}


def _decoded(told: "Any") -> "Any":
    if not isinstance(told, dict):
        return told
    ((kind, what),) = told.items()
    if kind == "tuple":
        return tuple(map(_decoded, what))
    if kind == "spec":
        return _of_module(_SPEC, "TensorSpec")(*map(_decoded, what))
    return _of_module(_SHAPE, "TensorShape")(what) if kind == "shape" else _of_module(_DTYPE, "as_dtype")(what)


def _of_module(beside: str, name: str) -> "Any":
    return getattr(sys.modules[beside.rpartition(".")[0]], name)


def is_one_of_its_kind(value: "Any") -> bool:
    """Whether there is no other of its value: it needs no telling which one it is."""
    if type(value) is str:
        return sys.intern((value + " ")[:-1]) is value
    return value is None or type(value) is bool or (type(value) is int and value in _SMALL)


def one_of_its_kind(value: "Any") -> "Any":
    """The one of this value."""
    return sys.intern(value) if type(value) is str else value


class ToldValues:
    """Values that were told, each once: [[value as JSON, path to it before the trace, or None]]."""

    def __init__(self, snapshot: "Snapshot") -> None:
        self.all: list[list[Any]] = []
        self._snapshot = snapshot
        self._numbers: dict[int, int] = {}  # id -> number; what the trace has set keeps them alive
        self._steps: dict[int, Any] = {}  # id -> (number of what holds it, step), once one was looked for

    def number(self, value: "Any") -> int:
        """Which one it is."""
        if id(value) not in self._numbers:
            self._numbers[id(value)] = len(self.all)
            self.all.append([_encoded(value), self._path(value)])
        return self._numbers[id(value)]

    def _path(self, value: "Any") -> "list[str] | None":
        walk = self._snapshot.walk
        if not self._steps:
            for number, owner in enumerate(walk.objects):
                for step, child in self._snapshot.kept.get(id(owner), (None, (None, ())))[1][1]:
                    self._steps.setdefault(id(child), (number, step))
        number, step = self._steps.get(id(value), (None, None))
        return None if number is None else [*walk.path(number), step]


class MadeValues:
    """Those that were told, in this process."""

    def __init__(self, told: "list[Any]", python_function: "Any") -> None:
        self._values = [_same(_decoded(value), path, python_function) for value, path in told]

    def value(self, number: int) -> "Any":
        """The one of this number."""
        return self._values[number]


def _same(value: "Any", path: "list[str] | None", python_function: "Any") -> "Any":
    """What is at the path, where it is of this value: two places of one source file may have a number in common by chance."""
    try:
        found = value if path is None else paths.resolve(python_function, path)
    except LookupError:
        return value
    return found if type(found) is type(value) and is_whole(found) and words(found) == words(value) else value
