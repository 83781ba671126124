"""From the graph that TensorFlow's optimiser made to a function that can be stored and called by name.

The optimised graph comes with `_Arg` and `_Retval` nodes and GraphDef inputs (`node:2`); a FunctionDef wants its
arguments by name and inputs as `node:output_argument:index`. Every function of the library gets a name that carries
the entry's digest: names like `__inference_f_14` come from a process-wide counter and collide.
"""

import hashlib

from firststep_agent.boost.objects import canonical

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from firststep_agent.boost.cache_functions.keep.origins import Nodes


class NotConvertible(Exception):
    """A graph that cannot be kept; says why."""


PYTHON_CALLBACKS = frozenset(["PyFunc", "PyFuncStateless", "EagerPyFunc"])
# Written by passes that have run, read by none that still run: a third of the bytes.
_SPENT_ATTRIBUTES = ("_output_shapes", "_input_shapes", "_XlaHasReferenceVars", "_user_specified_name", "_handle_shapes",
                     "_handle_dtypes")
_SPENT_PREFIXES = ("_grappler", "_tf_data")


def optimised_function(graph: "Any", signature: "Any", attributes: "Mapping[str, Any]") -> "tuple[Any, dict[str, Nodes]]":
    """A FunctionDefLibrary whose last function is the optimised `graph`, and the debug names of the nodes of all its functions.

    `signature` is the OpDef of the traced function (its arguments and results, in order), `attributes` the FunctionDef
    attributes that the traced function had. Functions are named by `name_by_digest` afterwards.
    """
    from tensorflow.core.framework import function_pb2

    library = function_pb2.FunctionDefLibrary()
    library.CopyFrom(graph.library)
    main = library.function.add()
    builder = _Body(graph, signature, main)
    builder.build()
    for key, value in attributes.items():
        if key not in ("_input_shapes", "_construction_context"):
            main.attr[key].CopyFrom(value)
    inner = {function.signature.name: origins_of(function.node_def) for function in graph.library.function}
    return library, {**inner, main.signature.name: origins_of(graph.node)}


def origins_of(nodes: "Any") -> "Nodes":
    """The debug names of those nodes that have some."""
    return {node.name: [list(node.experimental_debug_info.original_func_names), list(node.experimental_debug_info.original_node_names)]
            for node in nodes if node.experimental_debug_info.original_node_names}


def is_of(graphs: "Any", definition: "Any") -> bool:
    """Whether these FunctionGraphs are those of the function, whole and alone.

    There is one buffer for all threads: functions that are instantiated at once can end up merged, or one's traced
    graph beside the other's optimised one. An argument that nothing needs but its shape is dropped by the optimiser; the
    others keep their names.
    """
    names = {node.name for node in definition.node_def}
    traced, optimised = graphs.pre_optimization_graph.node, graphs.post_optimization_graph.node
    arguments, results = range(len(definition.signature.input_arg)), range(len(definition.signature.output_arg))
    return (names <= {node.name for node in traced}
            and _indices(traced, "_Arg") == list(arguments)
            and _named_arguments(optimised) <= _named_arguments(traced)
            and _indices(traced, "_Retval") == _indices(optimised, "_Retval") == list(results)
            and all(len({node.name for node in nodes}) == len(nodes) for nodes in (traced, optimised)))


def _named_arguments(nodes: "Any") -> "set[tuple[int, str, int]]":
    return {(node.attr["index"].i, node.name, node.attr["T"].type) for node in nodes if node.op == "_Arg"}


def _indices(nodes: "Any", op: str) -> "list[int]":
    return sorted(node.attr["index"].i for node in nodes if node.op == op)


def traced_function(definition: "Any", library_functions: "Any") -> "Any":
    """A FunctionDefLibrary of the function as it was traced; the last one is the function itself."""
    from tensorflow.core.framework import function_pb2

    library = function_pb2.FunctionDefLibrary()
    library.function.extend(library_functions)
    main = library.function.add()
    main.CopyFrom(definition)
    main.attr.pop("_construction_context", None)
    return library


def name_by_digest(library: "Any") -> "list[str]":
    """Renames every function of the library by the digest of its content, rewrites all references, drops debug info.

    Returns the names that they had, in their order now; the main function is the last.
    """
    for function in library.function:
        if _only_spent(function):
            function.ClearField("arg_attr")
        for node in function.node_def:
            _strip(node)
    _sort(library)
    former = [f.signature.name for f in library.function]
    undigested = [f"firststep_undigested_{i}" for i in range(len(former))]  # without the numbers of this process
    _rename_all(library, dict(zip(former, undigested)))
    digest = hashlib.sha256(library.SerializeToString(deterministic=True)).hexdigest()[:20]
    _rename_all(library, {name: f"firststep_{digest}_{i}" for i, name in enumerate(undigested)})
    return former


def _sort(library: "Any") -> None:
    """Orders the functions by their use, the main one last: TensorFlow's order depends on the names that they had."""
    definitions = {f.signature.name: f for f in library.function}
    used = canonical.order_of_use(library.function[len(library.function) - 1].signature.name, definitions)
    unused = sorted(definitions.keys() - set(used))
    ordered = [definitions[name] for name in (*unused, *reversed(used))]
    sorted_library = type(library)(function=ordered, gradient=library.gradient)
    library.CopyFrom(sorted_library)


def _rename_all(library: "Any", names: "dict[str, str]") -> None:
    for function in library.function:
        function.signature.name = names[function.signature.name]
        rename(function.node_def, names)
        _rename_attributes(function.attr, names)
    for gradient in library.gradient:
        gradient.function_name = names.get(gradient.function_name, gradient.function_name)
        gradient.gradient_func = names.get(gradient.gradient_func, gradient.gradient_func)


def named_apart(serialized: bytes, number: int) -> "tuple[str, bytes]":
    """Renames every function of a library once more, for another use of it: the name of the last one, the new library."""
    from tensorflow.core.framework import function_pb2

    library = function_pb2.FunctionDefLibrary.FromString(serialized)
    apart = {}
    for index, function in enumerate(library.function):
        stem = function.signature.name.rpartition("_")[0]
        apart[function.signature.name] = f"{stem}x{number}_{index}"
    _rename_all(library, apart)
    return library.function[len(library.function) - 1].signature.name, library.SerializeToString()


def names(last: str, count: int) -> "list[str]":
    """The names of all `count` functions of a library, the last of which is called `last`."""
    stem = last.rpartition("_")[0]
    return [f"{stem}_{index}" for index in range(count)]


def definitions(serialized: bytes) -> "Iterator[bytes]":
    """The functions of a serialized library, each serialized as it stands there: reading a step of ResNet50 only to write it again
    takes 30 ms. A library of ours holds functions alone (field 1); another raises ValueError.
    """
    at = 0
    while at < len(serialized):
        if serialized[at] != 0x0A:
            raise ValueError("a library holds something else than functions")
        length, shift, more = 0, 0, True
        while more:
            at += 1
            length |= (serialized[at] & 0x7F) << shift
            shift, more = shift + 7, serialized[at] & 0x80  # type: ignore[assignment]
        yield serialized[at + 1:at + 1 + length]
        at += 1 + length


def rename(nodes: "Any", names: "dict[str, str]") -> None:
    """Rewrites every reference to a function: ops, function attributes, lists of functions, names in strings."""
    for node in nodes:
        if node.op in names:
            node.op = names[node.op]
        _rename_attributes(node.attr, names)


def _rename_attributes(attributes: "Any", names: "dict[str, str]") -> None:
    for key in list(attributes):
        value = attributes[key]
        if value.HasField("func"):
            _rename_one(value.func, names)
        elif value.HasField("list"):
            for function in value.list.func:
                _rename_one(function, names)
        elif value.HasField("s"):
            name = names.get(value.s.decode("utf-8", "replace"))
            if name is not None:
                value.s = name.encode()


def _rename_one(name_and_attributes: "Any", names: "dict[str, str]") -> None:
    name_and_attributes.name = names.get(name_and_attributes.name, name_and_attributes.name)
    _rename_attributes(name_and_attributes.attr, names)


def refusal(library: "Any") -> "str | None":
    """Why functions of this library must not be kept, or None."""
    for function in library.function:
        for node in function.node_def:
            if node.op in PYTHON_CALLBACKS:
                return "it calls back into Python (tf.py_function or tf.numpy_function)"
            if node.op in _PROCESS_BOUND:
                return f"its graph holds a {node.op}, which belongs to one process"
    absent = missing(library)
    return None if absent is None else f"its graph calls the function {absent}, which it does not hold"


def missing(library: "Any") -> "str | None":
    """The name of a function that a node calls and the library does not have, or None."""
    present = {function.signature.name for function in library.function}
    for function in library.function:
        for node in function.node_def:
            for value in node.attr.values():
                for called in ([value.func] if value.HasField("func") else value.list.func):
                    if called.name and called.name not in present:
                        return called.name  # type: ignore[no-any-return]
    return None


_PROCESS_BOUND = frozenset(["Send", "_Send", "_HostSend", "Recv", "_Recv", "_HostRecv", "CreateSummaryFileWriter"])


def _only_spent(function: "Any") -> bool:
    return all(all(_spent(k) for k in a.attr) for a in function.arg_attr.values())


def _spent(key: str) -> bool:
    return key in _SPENT_ATTRIBUTES or key.startswith(_SPENT_PREFIXES)


def _strip(node: "Any") -> None:
    node.ClearField("experimental_debug_info")
    for key in [k for k in node.attr if _spent(k)]:
        del node.attr[key]


class _Body:
    """Writes one GraphDef's nodes into a FunctionDef."""

    def __init__(self, graph: "Any", signature: "Any", function: "Any") -> None:
        self._graph = graph
        self._signature = signature
        self._function = function
        self._library = {f.signature.name: f.signature for f in graph.library.function}
        self._arguments: dict[str, str] = {}  # node name of the _Arg -> argument name
        self._outputs: dict[str, list[str]] = {}  # node name -> [output names, in order]

    def build(self) -> None:
        results = self._collect()
        function = self._function
        function.signature.name = "optimised"
        for index, argument in enumerate(self._signature.input_arg):
            function.signature.input_arg.add(name=f"firststep_arg_{index}", type=argument.type)
        consumed: set[str] = set()
        for node in self._graph.node:
            if node.op not in ("_Arg", "_Retval"):
                self._copy(node, consumed)
        for index, argument in enumerate(self._signature.output_arg):
            name = f"firststep_result_{index}"
            function.signature.output_arg.add(name=name, type=argument.type)
            function.ret[name] = self._input(results[index], consumed)
        self._control_outputs(consumed)

    def _collect(self) -> "dict[int, str]":
        results = {}
        for node in self._graph.node:
            if node.op == "_Arg":
                self._arguments[node.name] = f"firststep_arg_{node.attr['index'].i}"
            elif node.op == "_Retval":
                if len(node.input) != 1:
                    raise NotConvertible("a result of the optimised graph has control inputs")
                results[node.attr["index"].i] = node.input[0]
        if sorted(results) != list(range(len(self._signature.output_arg))):
            raise NotConvertible("the optimised graph has other results than the traced function")
        if len(self._arguments) > len(self._signature.input_arg):
            raise NotConvertible("the optimised graph has other arguments than the traced function")
        return results

    def _copy(self, node: "Any", consumed: "set[str]") -> None:
        from tensorflow.core.framework import node_def_pb2

        copy = node_def_pb2.NodeDef()
        copy.CopyFrom(node)
        del copy.input[:]
        controls = []
        for name in node.input:
            if name.startswith("^"):
                consumed.add(name[1:])
                if name[1:] not in self._arguments:
                    controls.append(name)
            else:
                copy.input.append(self._input(name, consumed))
        copy.input.extend(controls)
        self._function.node_def.append(copy)

    def _input(self, reference: str, consumed: "set[str]") -> str:
        name, _, index = reference.partition(":")
        consumed.add(name)
        if name in self._arguments:
            return self._arguments[name]
        outputs = self._outputs.get(name)
        if outputs is None:
            outputs = self._outputs[name] = self._output_names(name)
        return f"{name}:{outputs[int(index or 0)]}"

    def _output_names(self, name: str) -> "list[str]":
        node = self._nodes()[name]
        names: list[str] = []
        for argument in self._op_def(node.op).output_arg:
            names.extend(f"{argument.name}:{i}" for i in range(_count(argument, node)))
        return names

    def _nodes(self) -> "dict[str, Any]":
        if not hasattr(self, "_by_name"):
            self._by_name = {n.name: n for n in self._graph.node}
        return self._by_name

    def _op_def(self, op: str) -> "Any":
        if op in self._library:
            return self._library[op]
        from tensorflow.python.framework import op_def_registry

        definition = op_def_registry.get(op)
        if definition is None:
            raise NotConvertible(f"the operation {op} is not known")
        return definition

    def _control_outputs(self, consumed: "set[str]") -> None:
        """Keeps every effect alive: stateful operations, and whatever nothing else consumes."""
        for node in self._function.node_def:
            used = node.name in consumed
            if used and (node.op in _READS or not self._op_def(node.op).is_stateful):
                continue
            self._function.signature.control_output.append(node.name)
            self._function.control_ret[node.name] = node.name


_READS = frozenset(["ReadVariableOp", "_ReadVariablesOp", "VarHandleOp"])


def _count(argument: "Any", node: "Any") -> "Any":
    if argument.number_attr:
        return node.attr[argument.number_attr].i
    if argument.type_list_attr:
        return len(node.attr[argument.type_list_attr].list.type)
    return 1
