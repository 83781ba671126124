"""Traces, conversions by AutoGraph, gradients and registered functions."""

import sys
from weakref import WeakSet

from firststep_agent.observe import machine_code
from firststep_agent.observe.converted import was_converted, was_written
from firststep_agent.observe.eagerness import eager
from firststep_agent.observe.labels import argument, said, unrolled
from firststep_agent.observe.labels.retracing import Traces
from firststep_agent.observe.labels.values import measured
from firststep_agent.ownership import is_programs_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

LARGE = 1_000_000  # bytes of a constant that is told
CALLS = ("PartitionedCall", "StatefulPartitionedCall")  # of other functions, whose graphs are inlined
BRANCHES = {**dict.fromkeys(CALLS, ("f",)), **dict.fromkeys(("If", "StatelessIf"), ("then_branch", "else_branch")),
            **dict.fromkeys(("While", "StatelessWhile"), ("cond", "body"))}  # where they name the functions that they call
MOST_REBUILT = 1000  # functions of a SavedModel that are told one by one
CONTROL_FLOW = ("If", "StatelessIf", "While", "StatelessWhile", "Case", "StatelessCase")
OF_TENSORS = ("LogicalNot", "LogicalAnd", "LogicalOr", "StringToNumber", "ReduceDataset", "ScanDataset", "Range", "Cast")
"""What AutoGraph else makes of Python's words: `not`, `for` over a data set, `int`."""
MOST_TRACEBACKS = 40  # of such operations: each takes 60 microseconds
OPERATORS, TENSORFLOW = "/tensorflow/python/autograph/operators/", "/tensorflow/"
MOST_CALLS = 100  # that are looked at: each takes some microseconds
traces = Traces()
_xla_functions: "set[str]" = set()  # that are compiled by XLA as a whole
_with_xla_inside: "set[str]" = set()  # that call such a function
_outer_graphs: "WeakSet[Any]" = WeakSet()  # of functions compiled by XLA


def _operations(graph: "Any") -> int:
    count = getattr(graph, "num_operations", None)
    return count() if count else len(graph._nodes_by_name)


def traced_name(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> str:
    options = argument(args, kwargs, 3, "tracing_options")
    return said.text(options.name)


def traced(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    """Of tracing_compilation._create_concrete_function(function_type, type_context, func_graph, tracing_options)."""
    function_type, options = args[0], argument(args, kwargs, 3, "tracing_options")
    scope = getattr(options.scope_type, "name", "")
    labels = traces.describe(options.python_function, id(options.function_cache), function_type.parameters, scope, result.captured_inputs)
    name, operations = said.text(result.name), result.graph.get_operations()
    return {**labels, "ops": len(operations), "function": name,
            "captures": len(result.captured_inputs), "autograph": _is_rewritten(operations), **_replicas(operations),
            **unrolled.repeated(operations), **_held(operations), **_steps(operations),
            **_xla(options.attributes or {}, result.graph, name)}


def _replicas(operations: "Iterable[Any]") -> "dict[str, Any]":
    """{"replicas": number} under a distribution strategy, or where one has run code once for each replica: all but the first have a name
    scope of theirs. Looked at, for a question would make the default strategy."""
    module = sys.modules.get("tensorflow.python.framework.ops")
    entered = getattr(module.get_default_graph(), "_distribution_strategy_stack", None) if module else None
    if entered:
        return {"replicas": entered[-1].strategy.num_replicas_in_sync}
    scopes = (operation.name.partition("replica_")[2].partition("/")[0] for operation in operations if "replica_" in operation.name)
    most = max((int(number) for number in scopes if number.isdecimal()), default=0)
    return {"replicas": most + 1} if most else {}


def _steps(operations: "Iterable[Any]") -> "dict[str, bool]":
    """{"gradients": True} where the graph has some."""
    return {"gradients": True} if any(unrolled.OF_GRADIENTS in operation.name for operation in operations) else {}


def _held(operations: "Iterable[Any]") -> "dict[str, Any]":
    """{"constants": [bytes of the large ones together, "file:line" of the largest], "calls": [graph functions that are called]}, each
    where there are some."""
    total, most, largest = 0, 0, None
    calls: list[str] = []
    for operation in operations:
        kind = operation.type
        if kind == "Const":
            size = _bytes(operation.outputs[0])
            if size >= LARGE:
                total += size
                if size > most:
                    most, largest = size, operation
        elif kind in CALLS and len(calls) < MOST_CALLS:
            calls.append(operation.get_attr("f").name)
    constants = {"constants": [total, line_of(largest)]} if largest is not None else {}
    return {**constants, **({"calls": sorted(set(calls))} if calls else {})}


def _is_rewritten(operations: "Sequence[Any]") -> bool:
    """Whether the graph holds something that only AutoGraph can have made of the program's Python, as an `if` over a tensor, or may hold
    it: what stands in the branches of the program's own `tf.cond` is not looked at."""
    rank = {kind: place for place, kind in enumerate((*CONTROL_FLOW, *OF_TENSORS))}
    some = sorted((one for one in operations if one.type in rank), key=lambda one: rank[one.type])
    return any(map(_is_autographs, some[:MOST_TRACEBACKS]))


def _is_autographs(operation: "Any") -> bool:
    for frame in reversed(getattr(operation, "traceback", None) or ()):
        if OPERATORS in frame.filename:
            return True
        if TENSORFLOW not in frame.filename:
            return operation.type in CONTROL_FLOW and is_programs_line(frame.filename)
    return False


def _bytes(tensor: "Any") -> int:
    return (tensor.shape.num_elements() or 0) * (tensor.dtype.size or 0)


def line_of(operation: "Any") -> str:
    """The innermost line of the program's own files that made an operation, as "file:number"; empty where none did."""
    for frame in reversed(getattr(operation, "traceback", None) or ()):
        if is_programs_line(frame.filename):
            return f"{frame.filename}:{frame.lineno}"
    return ""


def _xla(attributes: "Mapping[str, Any]", graph: "Any", name: str) -> "dict[str, Any]":
    if attributes.get("_XlaMustCompile"):
        _xla_functions.add(name)
        while graph is not None:
            graph = getattr(graph, "outer_graph", None)
            if getattr(graph, "building_function", False):
                _outer_graphs.add(graph)
        return {"xla": True, **machine_code.label()}
    if graph in _outer_graphs:
        _with_xla_inside.add(name)
    return {}


def any_for_xla() -> bool:
    """Whether any function of this process is one that XLA compiles as a whole."""
    return bool(_xla_functions)


def compiled_by_xla(name: str) -> "tuple[bool, bool]":
    """Whether XLA compiles the function of that name as a whole, and whether it compiles some that it calls."""
    return name in _xla_functions, name in _with_xla_inside


def compiler_name(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> str:
    return said.text(args[0]._name)


def compiler_traced(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    """Of TracingCompiler._create_concrete_function(self, args, kwargs, func_graph)."""
    labels = traces.describe(args[0]._python_function, id(args[0]._function_cache), {}, "", result.captured_inputs)
    operations = result.graph.get_operations()
    return {**labels, **_replicas(operations), "autograph": _is_rewritten(operations), "ops": _operations(result.graph),
            "function": said.text(result.name)}


def converted_name(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> str:
    return said.name(argument(args, kwargs, 1, "fn"))


def converted(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    code = said.attribute(argument(args, kwargs, 1, "fn"), "__code__")
    if code is None:
        return {}
    was_converted(code)
    return {"source": f"{code.co_filename}:{code.co_firstlineno}"}


def loaded_name(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> str:
    return "load converted code"


def loaded(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    """Of loader.load_ast(nodes, ...), which gives (module, source, source map or None)."""
    was_written(result[2] or {})
    return {}


def gradients(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    ys, xs = argument(args, kwargs, 0, "ys"), argument(args, kwargs, 1, "xs")
    return {"ys": said.length(ys), "xs": said.length(xs)}


def tape_gradients(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    return {"xs": said.length(argument(args, kwargs, 2, "sources"))}


def kind_of_gradients(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> str:
    """In a function gradients are built, outside of one they are computed."""
    return "first-execution" if eager() else "gradients"


def outside_functions(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> bool:
    return eager()


def registered_name(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> str:
    return said.text(argument(args, kwargs, 0, "name"))


def registered(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    return {"ops": _operations(argument(args, kwargs, 1, "graph"))}


def defined_name(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> str:
    return said.text(argument(args, kwargs, 1, "name"))


def has_initialisers(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> bool:
    return bool(argument(args, kwargs, 1, "initializers"))


def lifted_name(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> str:
    return "initialisers lifted out of a function"


def lifted(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    made = [variable for variable, _ in argument(args, kwargs, 1, "initializers")]
    return {"variables": len(made), "bytes": sum(measured(one.shape, one.dtype).get("bytes", 0) for one in made), "lifted": True}


def library(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    """Of load_function_def_library(library, ...), which gives {name in the library: concrete function}."""
    found = argument(args, kwargs, 0, "library").function
    return {"functions": len(found), "rebuilt": [_rebuilt(one) for one in result.values()] if len(found) <= MOST_REBUILT else []}


def _rebuilt(function: "Any") -> "list[Any]":
    """[name, operations, inputs with the variables that it uses, [functions that its graph calls]]."""
    operations = function.graph.get_operations()
    called = {operation.get_attr(where).name for operation in operations for where in BRANCHES.get(operation.type, ())}
    return [said.text(function.name), len(operations), len(function.graph.inputs), sorted(called)]
