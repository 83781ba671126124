"""TensorFlow 2: private attributes of its objects, and what else of its modules is looked at without a function's help."""

from firststep_agent.frameworks.points import BY_NAME_ALONE, READ, Point

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

P = "tensorflow.python."
CACHE, PREBUILD, DIRECTLY, RESULTS = "cache-functions", "prebuild-variables", "run-operations-directly", "results"
SETTING, OPTION = "a setting that counts: without it there is no key", "what a function was asked to be counts"
OF_VARIABLE = "what is a variable's own, and nobody else has put there"
BY_NAME, DEVICES = "descriptions that are looked up again by name", "names of devices that are looked up again by their parts"
CONSTANTS = "how large the constants of an input pipeline are"
COUNTED = "what counts as well, under another name"
FUNCTION = "eager.polymorphic_function."

READS: "dict[str, dict[str, tuple[str, tuple[str, ...]]]]" = {  # module -> {attribute: (why, who reads it)}
    "autograph.pyct.cache": {"_TransformedFnCache._cache": ("which code was converted", (CACHE,))},
    "autograph.pyct.transpiler": {"PyToPy._cache": ("which code was converted", (CACHE,))},
    "data.ops.dataset_ops": {
        "DatasetSpec._dataset_shape": ("outputs that are data sets", (CACHE,)),
        "DatasetSpec._element_spec": ("outputs that are data sets", (CACHE,)),
        "DatasetV2._inputs": ("what an input pipeline is made of", ("frameworks",)),
        "DatasetV2._variant_tensor_attr": ("what a loop over a dataset captures", (CACHE,)),
    },
    "data.ops.from_tensor_slices_op": {"_TensorSliceDataset._tensors": (CONSTANTS, ("frameworks",))},
    "data.ops.from_tensors_op": {"_TensorDataset._tensors": (CONSTANTS, ("frameworks",))},
    "data.ops.optional_ops": {"OptionalSpec._element_spec": ("outputs that are optional", (CACHE,))},
    "eager.context": {
        **{f"Context.{name}": (SETTING, (CACHE,)) for name in (
            "_collective_leader", "_device_policy", "_inter_op_parallelism_threads", "_intra_op_parallelism_threads",
            "_jit_compile_rewrite", "_operation_timeout_in_ms", "_optimizer_experimental_options", "_optimizer_jit",
            "_soft_device_placement", "_use_tfrt", "_virtual_device_map")},
        "Context._handle": ("a stored function is given to the runtime", (CACHE,)),
    },
    FUNCTION + "concrete_function": {
        "ConcreteFunction._captured_inputs": ("what a function captures", (CACHE,)),
        "ConcreteFunction._garbage_collector": ("a trace that is put off lives as long as TensorFlow's", (CACHE,)),
        "ConcreteFunction._inference_function": ("the graph of a function", (CACHE,)),
    },
    FUNCTION + "polymorphic_function": {
        **{f"Function.{name}": (OPTION, (CACHE,)) for name in (
            "_attributes", "_autograph", "_experimental_autograph_options", "_jit_compile", "_reduce_retracing")},
        "Function._concrete_variable_creation_fn": ("whether a first trace stands for both", (CACHE, PREBUILD)),
        "Function._created_variables": ("whether a first trace stands for both", (CACHE, PREBUILD)),
        "Function._function_cache": ("a first trace stands for both", (CACHE, PREBUILD)),
        "Function._generate_scoped_tracing_options": ("a second trace makes no variables", (CACHE,)),
        "Function._no_variable_creation_config": ("a second trace makes no variables", (CACHE,)),
        "Function._name": ("how a function is called", (CACHE, "steps", RESULTS)),
        "Function._python_function": ("which of the program's functions a function is of", (CACHE, PREBUILD)),
    },
    "framework.dtypes": {"DType._handle_data": ("outputs that are lists of tensors", (CACHE,))},
    "framework.errors_impl": {"OpError._message": ("errors name the user's lines", (CACHE,))},
    "framework.ops": {
        "_DefaultGraphStack._global_default_graph": ("what a trace puts into the collections of the default graph", (CACHE,)),
        "_EagerTensorBase._numpy_internal": ("what a tensor holds", (CACHE,)),
        "_EagerTensorBase._shape_tuple": ("what a tensor looks like", (CACHE,)),
        "_gradient_registry": ("gradients that the program has registered", (CACHE,)),
        "get_dtype_conversion_mode": (SETTING, (CACHE,)),
        "EagerTensor._handle_data": ("what a handle is of", (CACHE,)),
        "Graph._graph_key": ("names of functions", (CACHE,)),
        "Graph._collections": ("what a trace puts into the collections of the default graph", (CACHE,)),
        "Graph._control_dependencies_stack": ("what an operation of a graph waits for", (CACHE,)),
        "Graph._create_op_internal": ("what stands for a tensor that a trace has left", (CACHE,)),
        "Graph._distribution_strategy_stack": ("under which strategy a function is traced", ("frameworks",)),
        "Graph._functions": ("whether a graph calls functions", (CACHE,)),
        "Graph._nodes_by_name": ("how many operations a graph has, where it does not say", ("frameworks",)),
        "Graph._names_in_use": ("a build that does not hold gives its names back", (CACHE, PREBUILD)),
    },
    "framework.registry": {"Registry._registry": ("gradients that the program has registered", (CACHE,))},
    "framework.tensor": {"Tensor._USE_EQUALITY": (SETTING, (CACHE,)),
                         "TensorSpec._alias_id": ("arguments that are the same tensor", (CACHE,))},
    "framework.type_spec": {"_TYPE_CONVERSION_FUNCTION_REGISTRY": ("types of values that the program has registered", (CACHE,)),
                            "TypeSpec._serialize": ("what a type of the program's tells of itself", (CACHE,))},
    "framework.tensor_conversion_registry": {
        "_tensor_conversion_func_registry": ("conversions that the program has registered", (CACHE,)),
    },
    "ops.numpy_ops.np_dtypes": {"is_allow_float64": (SETTING, (CACHE,)), "is_prefer_float32": (SETTING, (CACHE,))},
    "ops.resource_variable_ops": {
        "BaseResourceVariable._in_graph_mode": ("variables of graphs have no value", (CACHE, RESULTS)),
        **{f"BaseResourceVariable.{name}": ("what a variable is", (CACHE,)) for name in (
            "_aggregation", "_constraint", "_dtype", "_handle", "_shape", "_synchronization", "_trainable")},
    },
    "ops.script_ops": {"FuncRegistry._funcs": ("whether Python runs in TensorFlow's threads", (DIRECTLY,))},
    "util.dispatch": {"_ELEMENTWISE_API_HANDLERS": ("dispatchers that the program has registered", (CACHE,)),
                      "_GLOBAL_DISPATCHERS": ("dispatchers that the program has registered", (CACHE,)),
                      "_TYPE_BASED_DISPATCH_SIGNATURES": ("dispatchers that the program has registered", (CACHE,))},
}
# of these the names alone are known: module -> {attribute: (why, who knows it)}
NAMED: "dict[str, dict[str, tuple[str, tuple[str, ...]]]]" = {
    "distribute.distribute_lib": {"_defaults": ("the default strategy is made when it is first asked for", (CACHE,))},
    "eager.backprop": {"_op_attr_type_cache": (BY_NAME, (CACHE,))},
    "eager.context": {"_device_parsing_cache": (DEVICES, (CACHE,))},
    "framework.device": dict.fromkeys(("_cached_mergers", "_string_merge_cache"), (DEVICES, (CACHE,))),
    "framework.device_spec": dict.fromkeys(("_COMPONENTS_TO_STRING_CACHE", "_STRING_TO_COMPONENTS_CACHE"), (DEVICES, (CACHE,))),
    "framework.op_def_registry": {"_cache": (BY_NAME, (CACHE,))},
    "framework.ops": {f"SymbolicTensor.{name}": ("what a tensor of a graph tells of itself alone", (CACHE,)) for name in (
        "_dtype", "_id", "_name", "_rank", "_set_shape", "_shape", "_shape_val")},
    "framework.tensor_conversion_registry": {"_tensor_conversion_func_cache": ("conversions that are looked up again by type", (CACHE,))},
    "module.module": {"Module._flatten_module": ("a trace that goes through all of a module's attributes", (CACHE,))},
    "distribute.input_lib": {
        f"DistributedDatasetAndIteratorSpec.{name}": ("what a strategy's data are", (CACHE,)) for name in (
            "_cardinality", "_element_spec", "_enable_get_next_as_optional", "_input_workers", "_options", "_replica_order", "_strategy")},
    "ops.custom_gradient": {"Bind": ("functions with a gradient of their own, which AutoGraph notes things on", (CACHE,))},
    "ops.lookup_ops": {"KeyValueTensorInitializer._name": ("a number of the process, which decides nothing", (CACHE,))},
    "ops.resource_variable_ops": {
        "_UnreadVariable": ("views of variables are no results", (RESULTS,)),
        "ResourceVariable._graph_key": (OF_VARIABLE, (CACHE,)),
        **{f"BaseResourceVariable.{name}": (OF_VARIABLE, (CACHE,)) for name in (
            "_cached_shape_as_list", "_cached_value", "_caching_device", "_distribute_strategy", "_graph_element", "_handle_name",
            "_initial_value", "_initializer_op", "_is_initialized_op", "_save_slice_info", "_unique_id", "_validate_shape")},
    },
    "ops.summary_ops_v2": {"_ResourceSummaryWriter._resource": ("the writer of summaries that name none", (CACHE,))},
    "saved_model.load": {"_WrapperFunction": ("which functions serve", ("steps",))},
    "trackable.autotrackable": {
        f"AutoTrackable.{name}": ("a note for checkpoints, which no trace reads", (CACHE,)) for name in (
            "_self_unconditional_checkpoint_dependencies", "_self_unconditional_dependency_names")
    },
    "trackable.base": {
        **{f"Trackable.{name}": ("what each object has that TensorFlow keeps account of, once it is asked for", (CACHE,)) for name in (
            "_self_name_based_restores", "_self_saveable_object_factories", "_self_setattr_tracking")},
        "Trackable._self_unconditional_deferred_dependencies": ("what a checkpoint has for what is not there yet", (CACHE,)),
        "Trackable._self_update_uid": ("a number of the process, which decides nothing", (CACHE,)),
    },
    "trackable.data_structures": {
        "_DictWrapper": ("dictionaries that TensorFlow tracks", (CACHE,)),
        "_DictWrapper._self_external_modification": (COUNTED, (CACHE,)),
        "_DictWrapper._self_last_wrapped_dict_snapshot": ("what a tracked dictionary held when it was last changed as is meant", (CACHE,)),
        "_DictWrapper._self_non_string_key": (COUNTED, (CACHE,)),
        "ListWrapper._storage": ("a build that does not hold is undone", (CACHE,)),
    },
    "util.tf_decorator": {"TFDecorator._decorated_target": ("what AutoGraph has put in the place of a function", (CACHE,))},
    "util.tf_stack": dict.fromkeys(
        ("_source_filter_stacks", "_source_mapper_stacks", "StackTraceFilter._stack_dict", "StackTraceMapper._stack_dict"),
        ("kept for each thread, from when it is first asked for", (CACHE,))),
}


def _point(module: str, attribute: str, why: str, by: "tuple[str, ...]", **told: "Any") -> "Point":
    return Point(P + module, attribute, why, how=READ, by=by, **told)


POINTS = (
    *(_point(module, attribute, why, by) for module, read in READS.items() for attribute, (why, by) in read.items()),
    *(_point(module, attribute, why, by, untried=BY_NAME_ALONE)
      for module, named in NAMED.items() for attribute, (why, by) in named.items()),
    *(_point(FUNCTION + "tracing_compiler", f"TracingCompiler.{name}", "which function is traced", ("frameworks",), before=(2, 14))
      for name in ("_function_cache", "_name", "_python_function")),
    *(_point("ops.resource_variable_ops", f"BaseResourceVariable.{name}", OF_VARIABLE, (CACHE,), since=(2, 17), untried=BY_NAME_ALONE)
      for name in ("_variable_read", "_xla_sharding")),
    Point("tensorflow.core.function.polymorphism.function_cache", "FunctionCache._primary",
          "a trace that is made twice finds nothing of the first", how=READ, by=(CACHE,), untried=BY_NAME_ALONE),
    *(Point("tensorflow.core.function.trace_type.default_types", attribute, why, how=READ, by=(CACHE,)) for attribute, why in (
        ("Dict._placeholder_type", "arguments and results that are dictionaries"),
        ("NamedTuple._placeholder_type", "results that are named tuples"),
        ("Weakref._ref", "arguments that are objects"))),
)
