"""A tensor of the trace's own graph that an object keeps after it (`self.last_scores = scores`), told, and one that stands for it.

Plainly such an attribute leads to a tensor of a graph that nobody can run any more: it can be asked for its type, its shape and its
name, and is an error in every computation. What stands for it is a tensor of the same type, shape, name and operation in a graph of the
same name, which holds nothing else. Where it is asked for more than was told, for its operation or its graph, the trace is made then,
and the tensor that this one gave answers.
"""

import base64

from firststep_agent import kinds
from firststep_agent.boost.cache_functions.reads import plain_values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

_DEEP = 3  # tensors that a tensor leads to, by what Keras puts on it
_FOR_GRAPHS = ("func", "list")  # attributes of operations that name functions, or may
_TENSORS = ("tensorflow.python.framework.ops.SymbolicTensor", "tensorflow.python.framework.ops.Tensor",
            "tensorflow.python.framework.tensor.Tensor")
# What a tensor of C++ tells of itself alone; by all else it leads on to its graph.
_OF_ITSELF = frozenset("_dtype _id _name _rank _set_shape _shape _shape_val device ndim value_index".split())


class NotTold(Exception):
    """The tensor cannot be told so that another could stand for it."""


def is_one(value: "Any") -> bool:
    """Whether it is a tensor of a graph."""
    return kinds.qualified(type(value)) in _TENSORS


def identity(tensor: "Any") -> "tuple[str, str, str | None]":
    """(name, kind of operation, name of the graph) of a tensor of a graph, or of what stands for one, of itself."""
    operation = _own(tensor, "op")
    return tensor.name, operation.type, getattr(operation.graph, "name", None)


def _own(tensor: "Any", name: str) -> "Any":
    """Of what stands for a tensor its own, whatever it answers."""
    return getattr(_plain_class(tensor), name).__get__(tensor)


_STANDS_IN = "__firststep_stands_in__"


class Told:
    """Tensors that were told, each once. JSON-able: `graphs`, their names; `tensors`."""

    def __init__(self) -> None:
        self.graphs: list[str] = []
        self.tensors: list[dict[str, Any]] = []
        self._numbers: dict[int, int] = {}  # by ids
        self._kept: list[Any] = []

    def number(self, value: "Any", depth: int = 0) -> int:
        """Which one it is. Raises NotTold."""
        if id(value) not in self._numbers:
            told = self._tell(value, depth)
            self._numbers[id(value)] = len(self.tensors)
            self._kept.append(value)
            self.tensors.append(told)
        return self._numbers[id(value)]

    def values(self) -> "list[Any]":
        """Those that were told."""
        return list(filter(is_one, self._kept))

    def _tell(self, value: "Any", depth: int) -> "dict[str, Any]":
        if depth > _DEEP or not is_one(value) or value.dtype.name in ("resource", "variant"):
            raise NotTold
        operation = value.op
        definition = operation.node_def
        definition.attr.pop("_class", None)
        if any(one.WhichOneof("value") in _FOR_GRAPHS for one in definition.attr.values()):
            raise NotTold
        return {"graph": self._graph(value.graph), "node": base64.b64encode(definition.SerializeToString(deterministic=True)).decode(),
                "inputs": [[each.dtype.name, _shape(each)] for each in operation.inputs], "index": value.value_index,
                "dtypes": [each.dtype.name for each in operation.outputs], "shape": _shape(value),
                "attributes": {name: self._attribute(held, depth) for name, held in sorted(kinds.own(value).items())}}

    def _attribute(self, held: "Any", depth: int) -> "dict[str, Any]":
        if plain_values.is_plain(held):
            return {"value": held}
        return {"tensor": self.number(held, depth + 1)}

    def _graph(self, graph: "Any") -> int:
        if kinds.name(type(graph)) != "FuncGraph":
            raise NotTold
        if id(graph) not in self._numbers:
            self._numbers[id(graph)] = len(self.graphs)
            self._kept.append(graph)
            self.graphs.append(graph.name)
        return self._numbers[id(graph)]


def _shape(tensor: "Any") -> "list[int | None] | None":
    return None if tensor.shape.rank is None else tensor.shape.as_list()


class Made:
    """Tensors that stand for those that were told: made when they are first asked for. Raises NotTold where one comes out otherwise.

    trace: makes the trace, and has `became` called for what it leaves; set before anybody can ask what was made.
    """

    trace: "Callable[[], object]"

    def __init__(self, graphs: "list[str]", tensors: "list[dict[str, Any]]") -> None:
        self._names = graphs
        self._told = tensors
        self._graphs: dict[int, Any] = {}
        self._made: dict[int, Any] = {}
        self._numbers: dict[int, int] = {}  # id of one that was made -> its number
        self._traced: dict[int, Any] = {}  # number -> the tensor of the trace
        self._class: type | None = None

    def any(self) -> bool:
        """Whether there is one to make."""
        return bool(self._told)

    def tensor(self, number: int) -> "Any":
        """The one of this number."""
        if number not in self._made:
            told = self._told[number]
            tensor = self._made[number] = self._make(told)
            self._numbers[id(tensor)] = number
            for name, held in told["attributes"].items():
                setattr(tensor, name, held["value"] if "value" in held else self.tensor(held["tensor"]))
        return self._made[number]

    def became(self, number: int, tensor: "Any") -> None:
        """A trace has left `tensor` where the one of this number was."""
        self._traced[number] = tensor
        for name, held in self._told[number]["attributes"].items():
            if "tensor" in held and name in kinds.own(tensor):
                self.became(held["tensor"], kinds.own(tensor)[name])

    def _of_trace(self, stands_in: "Any") -> "Any":
        number = self._numbers[id(stands_in)]
        if number not in self._traced:
            self.trace()
        return self._traced[number]

    def _make(self, told: "dict[str, Any]") -> "Any":
        from tensorflow.core.framework import node_def_pb2
        from tensorflow.python.framework import dtypes

        node = node_def_pb2.NodeDef.FromString(base64.b64decode(told["node"]))
        graph = self._graph(told["graph"])
        with graph.as_default():
            inputs = [_placeholder(dtype, shape) for dtype, shape in told["inputs"]]
            operation = graph._create_op_internal(node.op, inputs, [dtypes.as_dtype(each) for each in told["dtypes"]],
                                                  name=node.name + "/", attrs=dict(node.attr))
        tensor = self._standing(operation, told["index"])
        if told["shape"] is not None:
            tensor.set_shape(told["shape"])
        if _shape(tensor) != told["shape"] or operation.name != node.name:
            raise NotTold("what is to stand for a tensor that the trace leaves has another shape or name")
        return tensor

    def _standing(self, operation: "Any", index: int) -> "Any":
        from tensorflow.python.framework import ops

        real = operation.outputs[index]
        if self._class is None:
            self._class = _asking(ops.SymbolicTensor, lambda tensor, name: getattr(self._of_trace(tensor), name))
        return kinds.bases(type(real))[0].__new__(self._class, operation, index, real.dtype, ops.uid())

    def _graph(self, number: int) -> "Any":
        from tensorflow.python.framework import func_graph

        if number not in self._graphs:
            self._graphs[number] = func_graph.FuncGraph(self._names[number])
        return self._graphs[number]


def watch(tensors: "Iterable[Any]", asked: "Callable[[], object]") -> None:
    """Has asked() called when one of these tensors of a trace is first asked for what one that stood for it would have to trace for."""
    waiting = [asked]

    def answer(tensor, name):
        if waiting:
            waiting.pop()()
        return kinds.namespace(_native(_plain_class(tensor)))[name].__get__(tensor)

    for tensor in tensors:
        tensor.__class__ = _asking(_plain_class(tensor), answer)


def _plain_class(tensor: "Any") -> type:
    """Its class, past those that are made here."""
    cls = type(tensor)
    while kinds.namespace(cls).get(_STANDS_IN):
        cls = kinds.bases(cls)[0]
    return cls


def _native(cls: type) -> "Any":
    return kinds.bases(cls)[0]


def _asking(cls: type, answer: "Callable[[Any, str], Any]") -> type:
    """A class below the tensors' that has answer(tensor, name) answer for what a tensor of it cannot know, or is not to say unheard."""
    def asks(name):
        return property(lambda tensor: answer(tensor, name))

    names = {name for name in kinds.namespace(_native(cls)) if name[:2] != "__"} - _OF_ITSELF
    return type(cls.__name__, (cls,), {**{name: asks(name) for name in sorted(names)}, "__module__": cls.__module__,
                                       "__qualname__": cls.__qualname__, "__doc__": cls.__doc__, _STANDS_IN: True})


def _placeholder(dtype: str, shape: "list[int | None] | None") -> "Any":
    from tensorflow.python.framework import dtypes
    from tensorflow.python.ops import array_ops

    return array_ops.placeholder(dtypes.as_dtype(dtype), shape, name="firststep_input")
