"""A tensor of the trace's own graph that an object keeps after it (`self.last_scores = scores`), told, and one that stands for it.

Plainly such an attribute leads to a tensor of a graph that nobody can run any more: it can be asked for its type, its shape and its
name, and is an error in every computation. What stands for it is a tensor of the same type, shape, name and operation in a graph of the
same name, which holds nothing else. Where the program's code may go on from a tensor to its operation or graph there is none.
"""

import base64
import sys
import types

from firststep_agent import kinds, ownership
from firststep_agent.boost.objects import bytecode

_PLAIN = kinds.numbers((type(None), bool, int, float, str))
_FURTHER = frozenset(("graph", "op", "consumers"))  # what leads on from a tensor
_DEEP = 3  # tensors that a tensor leads to, by what Keras puts on it
_FOR_GRAPHS = ("func", "list")  # attributes of operations that name functions, or may


class NotTold(Exception):
    """The tensor cannot be told so that another could stand for it."""


def is_one(value):
    """Whether it is a tensor of a graph."""
    return any(kinds.qualname(base) == "Tensor" and kinds.module(base) in _TENSORS for base in kinds.mro(type(value))) and hasattr(
        value, "graph") and not hasattr(value, "_numpy_internal")


_TENSORS = ("tensorflow.python.framework.ops", "tensorflow.python.framework.tensor")


class Told:
    """Tensors that were told, each once. JSON-able: `graphs`, their names; `tensors`."""

    def __init__(self):
        self.graphs: list = []
        self.tensors: list = []
        self._numbers: dict = {}  # id -> number
        self._kept: list = []

    def number(self, value, depth=0):
        """Which one it is. Raises NotTold."""
        if id(value) not in self._numbers:
            told = self._tell(value, depth)
            self._numbers[id(value)] = len(self.tensors)
            self._kept.append(value)
            self.tensors.append(told)
        return self._numbers[id(value)]

    def _tell(self, value, depth):
        if depth > _DEEP or kinds.name(type(value)) not in ("SymbolicTensor", "Tensor") or value.dtype.name in ("resource", "variant"):
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

    def _attribute(self, held, depth):
        if id(type(held)) in _PLAIN:
            return {"value": held}
        if is_one(held):
            return {"tensor": self.number(held, depth + 1)}
        raise NotTold

    def _graph(self, graph):
        if kinds.name(type(graph)) != "FuncGraph":
            raise NotTold
        if id(graph) not in self._numbers:
            self._numbers[id(graph)] = len(self.graphs)
            self._kept.append(graph)
            self.graphs.append(graph.name)
        return self._numbers[id(graph)]


def _shape(tensor):
    return None if tensor.shape.rank is None else tensor.shape.as_list()


class Made:
    """Tensors that stand for those that were told: made when they are first asked for. Raises NotTold where one comes out otherwise."""

    def __init__(self, graphs, tensors):
        self._names = graphs
        self._told = tensors
        self._graphs: dict = {}
        self._made: dict = {}

    def tensor(self, number):
        """The one of this number."""
        if number not in self._made:
            told = self._told[number]
            tensor = self._made[number] = self._make(told)
            for name, held in told["attributes"].items():
                setattr(tensor, name, held["value"] if "value" in held else self.tensor(held["tensor"]))
        return self._made[number]

    def _make(self, told):
        from tensorflow.core.framework import node_def_pb2
        from tensorflow.python.framework import dtypes

        node = node_def_pb2.NodeDef.FromString(base64.b64decode(told["node"]))
        graph = self._graph(told["graph"])
        with graph.as_default():
            inputs = [_placeholder(dtype, shape) for dtype, shape in told["inputs"]]
            operation = graph._create_op_internal(node.op, inputs, [dtypes.as_dtype(each) for each in told["dtypes"]],
                                                  name=node.name + "/", attrs=dict(node.attr))
        tensor = operation.outputs[told["index"]]
        if told["shape"] is not None:
            tensor.set_shape(told["shape"])
        if _shape(tensor) != told["shape"] or operation.name != node.name:
            raise NotTold
        return tensor

    def _graph(self, number):
        from tensorflow.python.framework import func_graph

        if number not in self._graphs:
            self._graphs[number] = func_graph.FuncGraph(self._names[number])
        return self._graphs[number]


def _placeholder(dtype, shape):
    from tensorflow.python.framework import dtypes
    from tensorflow.python.ops import array_ops

    return array_ops.placeholder(dtypes.as_dtype(dtype), shape, name="firststep_input")


def goes_further():
    """A name by which the program's code, as far as it is loaded, may go on from a tensor to what only the trace has; None where there is
    none."""
    named: set = set()
    for code in _codes():
        named |= bytecode.attribute_names(code) & _FURTHER
    return min(named, default=None)


def _codes():
    """The code of the program's modules that run, and of the functions and classes of those that have run."""
    for frame in sys._current_frames().values():
        at: types.FrameType | None = frame
        while at is not None:
            if ownership.owner(at.f_code.co_filename) == ownership.USER:
                yield at.f_code
            at = at.f_back
    for name, module in list(sys.modules.items()):
        if type(module) is types.ModuleType and ownership.is_programs(name):
            for value in list(kinds.own(module).values()):
                yield from _codes_of(value)


def _codes_of(value):
    if type(value) is types.FunctionType:
        yield value.__code__
    elif kinds.is_a(value, type) and ownership.is_user_class(value):
        for function in map(kinds.plain_function, list(kinds.namespace(value).values())):
            if function is not None:
                yield function.__code__
