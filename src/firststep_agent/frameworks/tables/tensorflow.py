"""TensorFlow 2: where steps and remedies stand."""

from firststep_agent.frameworks.points import FRAMEWORKS, REPLACED, Point, SpanRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

P = "tensorflow.python."
CACHE, PREBUILD, PRESIZE, RESULTS = "cache-functions", "prebuild-variables", "presize-data-stack", "results"
ASSIGNS = "a step without an optimizer ends with its assignments; which variables a trace changes"


def _span(module: str, attribute: str, kind: str, *, since: "tuple[int, int] | None" = None, step: "str | None" = None,
          by: "tuple[str, ...]" = (), stays: "str | None" = None, **span: "Any") -> "Point":
    return Point(P + module, attribute, since=since, step=step, by=by, stays=stays, span=SpanRule(kind, **span))


def _point(module: str, attribute: str, why: "str | None" = None, **rest: "Any") -> "Point":
    return Point(P + module, attribute, why, **rest)


def _function(module: str, attribute: str, kind: str, **rest: "Any") -> "Point":
    return _span("eager.polymorphic_function." + module, attribute, kind, **rest)


POINTS = (
    _span("eager.context", "Context._initialize_physical_devices", "device-discovery", labels="devices.found",
          when="devices.not_yet_discovered", by=(CACHE,)),
    _span("eager.context", "Context.ensure_initialized", "runtime-init", labels="devices.created", when="devices.not_yet_initialised",
          once=True, by=(CACHE,)),
    *(_point("eager.context", f"Context.enable_{what}", "the graphs of functions are collected for the program", by=(CACHE,),
             stays="until exit, boosted: from then on no function is answered; 1 µs a call of it")
      for what in ("run_metadata", "graph_collection")),
    _function("tracing_compilation", "_create_concrete_function", "trace", since=(2, 14), name="graphs.traced_name",
              labels="graphs.traced", late=True, by=(CACHE,),
              stays="until exit, boosted: a later function is answered or learned too; 5 µs a trace"),
    _point("eager.polymorphic_function.tracing_compilation", "_create_concrete_function.__code__",
           "a trace has its frames in one chunk of Python's data stack", how=REPLACED, since=(2, 14), by=(PRESIZE, FRAMEWORKS),
           untried="a code object: no call comes to it, and what passes it passes the function, which is tried"),
    _span("eager.backprop", "GradientTape.gradient", "gradients", labels="graphs.tape_gradients", when="graphs.kind_of_gradients",
          step="takes-gradients"),
    _function("polymorphic_function", "UnliftedInitializerVariable.__init__", "variable", name="values.asked_name",
              labels="values.lifted_variable", by=(CACHE, PREBUILD)),
    _span("saved_model.function_deserialization", "load_function_def_library", "graph-import", labels="graphs.library", by=(CACHE,),
          stays="until exit, boosted: functions of later models are found by content too; 1 µs a model"),
    _point("autograph.pyct.transpiler", "GenericTranspiler.transform",
           "AutoGraph converts a framework's own function, and not what stands in its place", by=(FRAMEWORKS,)),
    _point("eager.polymorphic_function.polymorphic_function", "Function.__call__", step="called-function", by=(RESULTS,)),
    _point("eager.polymorphic_function.polymorphic_function", "Function.get_concrete_function", step="gets-function", by=(CACHE,),
           stays="until exit, boosted: what was learned, or answered, may be handed out; 5 µs a function"),
    _point("eager.polymorphic_function.polymorphic_function", "Function._list_all_concrete_functions",
           "functions that are saved", by=(CACHE,),
           stays="until exit, boosted: what was learned may be handed out, what was answered may owe a trace; 5 µs a function"),
    _point("eager.polymorphic_function.concrete_function", "ConcreteFunction.__call__", since=(2, 14), step="called-function",
           by=(RESULTS,)),
    _point("eager.backprop", "GradientTape.__enter__", step="enters-tape"),
    *(_point("ops.resource_variable_ops", f"{kind}.assign", ASSIGNS, step="assigns", after="tensorflow", by=(CACHE,),
             span=SpanRule("weights-set", name="values.own_name", labels="values.assigned", when="values.is_set"))
      for kind in ("BaseResourceVariable", "ResourceVariable")),
    *(_point("ops.resource_variable_ops", f"{kind}.{name}", ASSIGNS, step="assigns", after="tensorflow", by=(CACHE,))
      for kind in ("BaseResourceVariable", "ResourceVariable") for name in ("assign_add", "assign_sub")),
    *(_point("ops.resource_variable_ops", f"BaseResourceVariable.{name}", ASSIGNS, step="assigns", after="tensorflow")
      for name in ("scatter_add", "scatter_sub", "scatter_update", "batch_scatter_update", "scatter_nd_add", "scatter_nd_sub",
                   "scatter_nd_update", "_strided_slice_assign")),
    _point("ops.resource_variable_ops", "BaseResourceVariable._read_variable_op", "which variables a trace reads", by=(CACHE,)),
    _point("framework.ops", "_EagerTensorBase._numpy", "which tensors a trace reads", by=(CACHE,)),
    _point("framework.random_seed", "get_seed", "a build that draws is left to the trace", by=(CACHE,)),
    _point("framework.op_def_library", "_apply_op_helper", "nobody looks at what runs while an operation is added that is known",
           how=REPLACED, by=(CACHE,)),
    _point("eager.polymorphic_function.polymorphic_function", "Function._initialize", "the first trace of each function",
           by=(CACHE, PREBUILD), stays="until exit, boosted: a later function's first trace is watched too; 5 µs a first trace"),
    _point("ops.resource_variable_ops", "BaseResourceVariable.__init__", "variables as they stand at the end are a result", by=(RESULTS,)),
    _point("pywrap_tfe", "TFE_Py_FastPathExecute", "operations that make variables run without a function", how=REPLACED,
           by=("run-operations-directly",)),
    *(_point("pywrap_tfe", name, "where operations begin to run asynchronously, nothing stands among them", how=REPLACED,
             by=("run-operations-directly",)) for name in ("TFE_ContextSetExecutorForThread", "TFE_ContextOptionsSetAsync")),
    _point("framework.registry", "traceback", "registrations note their place without reading its source line", how=REPLACED,
           by=("defer-source-lines",)),
    _point("util.tf_decorator", "fullargspec_to_signature", "signatures of raw operations are made once", how=REPLACED,
           by=("memoise-signatures",)),
    _point("util.traceback_utils", "_EXCLUDED_PATHS", "tracebacks that TensorFlow cuts down leave out the agent's lines", how=REPLACED,
           by=(CACHE,), stays="until exit; no call passes it"),
)
