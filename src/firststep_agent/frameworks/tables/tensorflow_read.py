"""TensorFlow 2: what is read, and never replaced."""

from firststep_agent.frameworks.points import READ, Point

P = "tensorflow.python."
CACHE, PREBUILD, DIRECTLY, RESULTS = "cache-functions", "prebuild-variables", "run-operations-directly", "results"

READS: dict = {  # module -> {attribute: (why, who reads it)}
    "autograph.core.ag_ctx": {"ControlStatusCtx": ("how AutoGraph would convert a trace that is made later", (CACHE,)),
                              "Status": ("how AutoGraph would convert a trace that is made later", (CACHE,))},
    "autograph.impl.api": {"_TRANSPILER": ("which code was converted", (CACHE,))},
    "autograph.pyct.loader": {"load_source": ("a child that proves an answer writes no file for converted code", (CACHE,))},
    "client.pywrap_tf_session": {"TF_GetBuffer": ("the optimised graph", (CACHE,))},
    "data.ops.dataset_ops": {"DatasetSpec": ("outputs that are data sets", (CACHE,))},
    "data.ops.optional_ops": {"OptionalSpec": ("outputs that are optional", (CACHE,))},
    "data.util.structure": {"NoneTensorSpec": ("outputs that are nothing", (CACHE,))},
    "distribute.distribute_lib": {"has_strategy": ("where variables live", (CACHE, PREBUILD))},
    "eager.cancellation": {"context": ("a stored function that is called can be cancelled", (CACHE,))},
    "eager.context": {
        "_context": ("devices, seeds, and whether the runtime has started", (CACHE, "steps", RESULTS)),
        "context": ("the configuration of the process", (CACHE,)),
        "executing_eagerly": ("whether operations run at once", (CACHE, "steps", "frameworks")),
        "run_eager_op_as_function_enabled": ("whether operations run in functions", (DIRECTLY,)),
        "Context._context_handle": ("which runtime a switch is thrown of", (DIRECTLY,)),
        "Context._log_device_placement": ("whether somebody is told of operations", (DIRECTLY,)),
        "Context._thread_local_data": ("whether somebody is told of operations", (DIRECTLY,)),
        "Context._logical_devices": ("which devices there are", (CACHE, DIRECTLY, "steps", "frameworks")),
        "Context._physical_devices": ("which devices there are", (CACHE, "frameworks")),
        "Context._initialized": ("whether the runtime has started", ("frameworks",)),
        "Context._rng": ("where TensorFlow's stream of seeds stands", (CACHE, RESULTS)),
        "Context._seed": ("the global seed", (CACHE,)),
    },
    "framework.config": {
        "is_op_determinism_enabled": ("what a trace sets for the process", (CACHE,)),
        "tensor_float_32_execution_enabled": ("what a trace sets for the process", (CACHE,)),
    },
    "eager.execute": {"execute": ("a stored function is called", (CACHE,)),
                      "execute_with_cancellation": ("a stored function is called", (CACHE,))},
    "eager.polymorphic_function.concrete_function": {"ConcreteFunction": ("what an answer looks like", (CACHE,)),
                                                     "ConcreteFunction._call_flat": ("top-level calls go to a stored graph", (CACHE,))},
    "eager.polymorphic_function.tracing_compilation": {"_graph_building_time_counter": ("TensorFlow's own count of tracing",
                                                                                       ("frameworks",))},
    "eager.record": {"could_possibly_record": ("whether a tape looks on", (CACHE,))},
    "framework.c_api_util": {"tf_buffer": ("the optimised graph", (CACHE,))},
    "framework.dtypes": {"resource": ("which inputs are handles", (CACHE,))},
    "framework.error_interpolation": {"parse_message": ("errors name the user's lines", (CACHE,))},
    "framework.errors": {"OpError": ("errors of a stored function", (CACHE,))},
    "framework.func_graph": {"FuncGraph": ("a trace that is made later", (CACHE,))},
    "framework.op_def_library": {"_apply_op_helper": ("looks at what runs pause while known operations are added", (CACHE,))},
    "framework.op_def_registry": {"get": ("names of an operation's outputs", (CACHE,))},
    "framework.ops": {
        "_EagerTensorBase": ("which tensors a trace reads", (CACHE,)),
        "device": ("a step's end is waited for", ("steps",)),
        "executing_eagerly_outside_functions": ("whether a function is traced", (PREBUILD,)),
        "get_default_graph": ("whether a function is traced", (CACHE, PREBUILD, "steps")),
        "init_scope": ("variables are made outside the trace", (CACHE, PREBUILD)),
        "inside_function": ("whether a call is a top-level one", (CACHE,)),
        "name_scope_v2": ("variables are named as they would be", (CACHE,)),
        "Graph._variable_creator_stack": ("variables are made outside the trace", (CACHE, PREBUILD)),
    },
    "framework.random_seed": {"get_seed": ("a build that draws is refused", (CACHE,))},
    "framework.tensor_spec": {"TensorSpec": ("arguments of a build", (CACHE,))},
    "framework.type_spec": {"TypeSpec": ("arguments and results of a function", (CACHE,))},
    "framework.versions": {"__version__": ("which TensorFlow this is", (CACHE,)),
                           "__git_version__": ("which TensorFlow this is", (CACHE,))},
    "ops.control_flow_util": {"ENABLE_CONTROL_FLOW_V2": ("the configuration of the process", (CACHE,))},
    "ops.gen_sync_ops": {"sync_device": ("a step's end is waited for", ("steps",))},
    "ops.gradients_util": {"PossibleTapeGradientTypes": ("whether a gradient is asked for", (CACHE,)),
                           "POSSIBLE_GRADIENT_TYPES_NONE": ("whether a gradient is asked for", (CACHE,))},
    "ops.resource_variable_ops": {
        "BaseResourceVariable._read_variable_op": ("which variables a trace reads", (CACHE,)),
        "ResourceVariable": ("variables made apart from a trace are of its class", (CACHE, PREBUILD)),
        "variable_accessed": ("tapes are told of what a stored function reads", (CACHE,)),
    },
    "ops.script_ops": {"_py_funcs": ("whether Python runs in TensorFlow's threads", (DIRECTLY,))},
    "ops.stateful_random_ops": {"global_generator": ("where TensorFlow's generator stands", (RESULTS,))},
    "ops.summary_ops_v2": {"_current_trace_context": ("whether graphs are collected already", (CACHE,))},
    "ops.variables": {"Variable": ("whether an argument is a variable", (CACHE,))},
    "pywrap_tfe": {
        "TFE_ContextAddFunctionDef": ("a stored function is given to the runtime", (CACHE,)),
        "TFE_ContextExportRunMetadata": ("the optimised graph", (CACHE,)),
        "TFE_ContextSetRunEagerOpAsFunction": ("the switch that is thrown", (DIRECTLY,)),
        "TFE_Py_Execute": ("the optimised graph", (CACHE,)),
        "TFE_Py_TapeSetIsEmpty": ("whether a tape looks on", ("frameworks", "steps")),
        "TFE_Py_TapeSetIsStopped": ("whether a tape looks on", (CACHE,)),
        "TFE_Py_TapeSetRestartOnThread": ("a stored function is called under a tape", (CACHE,)),
        "TFE_Py_TapeSetStopOnThread": ("a stored function is called under a tape", (CACHE,)),
    },
    "saved_model.nested_structure_coder": {"encode_structure": ("results of a function", (CACHE,)),
                                           "decode_proto": ("results of a function", (CACHE,))},
    "saved_model.save_context": {"in_save_context": ("whether a function is traced to be saved", (CACHE,))},
    "tf2": {"enabled": ("the configuration of the process", (CACHE,))},
    "util.nest": {"flatten": ("outputs are results", (RESULTS,))},
    "util.tf_stack": {"StackTraceFilter": ("nodes carry no lines of the agent's", (CACHE,)),
                      "LoadTracesFromDebugInfo": ("errors name the user's lines", (CACHE,))},
}
# Protocol buffers and types, public in all but their address.
CORE = {
    "tensorflow.core.config.flags": ("config",),
    "tensorflow.core.framework.function_pb2": ("FunctionDef", "FunctionDefLibrary"),
    "tensorflow.core.framework.graph_debug_info_pb2": ("GraphDebugInfo",),
    "tensorflow.core.framework.node_def_pb2": ("NodeDef",),
    "tensorflow.core.function.polymorphism.function_type": ("FunctionType",),
    "tensorflow.core.function.trace_type.default_types": ("Dict", "List", "Literal", "NamedTuple", "Tuple", "Weakref"),
    "tensorflow.core.protobuf.config_pb2": ("ConfigProto", "RunMetadata"),
    "tensorflow.core.protobuf.struct_pb2": ("StructuredValue",),
}


POINTS = (
    *(Point(P + module, attribute, why, how=READ, by=by) for module, read in READS.items() for attribute, (why, by) in read.items()),
    *(Point(module, attribute, "graphs and types are written and read", how=READ, by=(CACHE,))
      for module, attributes in CORE.items() for attribute in attributes),
)
