"""TensorFlow 2: what else a start waits for (devices, functions, variables, data, saved models, strategies)."""

from firststep_agent.frameworks.points import Point, SpanRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

P = "tensorflow.python."


def _span(module: str, attribute: str, kind: str, *, since: "tuple[int, int] | None" = None,
          before: "tuple[int, int] | None" = None, **span: "Any") -> "Point":
    return Point(P + module, attribute, since=since, before=before, span=SpanRule(kind, **span))


def _function(module: str, attribute: str, kind: str, **rest: "Any") -> "Point":
    return _span("eager.polymorphic_function." + module, attribute, kind, **rest)


POINTS = (
    # devices and the runtime
    _span("client.device_lib", "list_local_devices", "device-discovery"),
    _span("eager.context", "Context.set_visible_devices", "device-configuration", labels="devices.asked"),
    _span("eager.context", "Context.set_memory_growth", "device-configuration", labels="devices.asked"),
    _span("eager.context", "Context.set_logical_device_configuration", "device-configuration", labels="devices.asked"),
    # tracing
    _function("tracing_compiler", "TracingCompiler._create_concrete_function", "trace", before=(2, 14), name="graphs.compiler_name",
              labels="graphs.compiler_traced", late=True),
    _span("autograph.pyct.transpiler", "GenericTranspiler.transform_function", "autograph", name="graphs.converted_name",
          labels="graphs.converted"),
    _span("autograph.pyct.loader", "load_ast", "autograph", name="graphs.loaded_name", labels="graphs.loaded"),
    _span("ops.gradients_util", "_GradientsHelper", "gradients", labels="graphs.gradients"),
    _function("atomic_function", "from_func_graph", "function-register", since=(2, 13), name="graphs.registered_name",
              labels="graphs.registered"),
    _function("monomorphic_function", "_EagerDefinedFunction.__init__", "function-register", before=(2, 13),
              name="graphs.defined_name"),
    _function("polymorphic_function", "Function._initialize_uninitialized_variables", "initialiser", name="graphs.lifted_name",
              labels="graphs.lifted", when="graphs.has_initialisers"),
    # execution of functions
    _span("eager.context", "Context.call_function", "first-call", since=(2, 13), name="calls.function_name", labels="calls.function",
          when="calls.is_first", counted=True, splits=True),
    # variables and initialisers
    _span("ops.resource_variable_ops", "ResourceVariable._init_from_args", "variable", name="values.asked_name",
          labels="values.variable"),
    *(_span("ops.init_ops_v2", f"{name}.__call__", "initialiser", name="values.initialiser_name", labels="values.initialiser")
      for name in ("Zeros", "Ones", "Constant", "RandomUniform", "RandomNormal", "TruncatedNormal", "VarianceScaling",
                   "Orthogonal", "Identity")),
    # saved models and checkpoints
    _span("saved_model.load", "load_partial", "model-load", name="files.first_argument", labels="files.saved_model"),
    _span("saved_model.load", "Loader.__init__", "graph-import", name="files.loader_name"),
    _span("saved_model.load", "Loader._load_all", "model-build"),
    _span("saved_model.load", "Loader._restore_checkpoint", "checkpoint"),
    _span("checkpoint.checkpoint", "TrackableSaver.restore", "checkpoint", name="files.second_argument", labels="files.checkpoint"),
    _span("training.py_checkpoint_reader", "NewCheckpointReader", "checkpoint", name="files.first_argument"),
    # input pipelines
    _span("data.ops.structured_function", "StructuredFunctionWrapper.__init__", "data-function", name="data.function_name",
          labels="data.function"),
    _span("data.ops.shuffle_op", "_ShuffleDataset.__init__", "data-pipeline", labels="data.shuffle"),
    _span("data.ops.from_tensor_slices_op", "_TensorSliceDataset.__init__", "data-pipeline", labels="data.constants"),
    _span("data.ops.from_tensors_op", "_TensorDataset.__init__", "data-pipeline", labels="data.constants"),
    _span("data.ops.cache_op", "CacheDataset.__init__", "data-pipeline", labels="data.cache"),
    _span("data.ops.iterator_ops", "OwnedIterator._create_iterator", "data-iterator", labels="data.iterator"),
    *(_span("data.ops.iterator_ops", f"OwnedIterator.{name}", "data-first-element", labels="data.first", when="data.is_first_element")
      for name in ("_next_internal", "get_next_as_optional")),
    # profiles of the program's own
    _span("profiler.profiler_v2", "start", "profiler"),
    _span("profiler.profiler_v2", "stop", "profiler"),
    # libraries of operations
    *(_span("framework.load_library", name, "custom-op-library", name="files.first_argument")
      for name in ("load_op_library", "load_library", "load_pluggable_device_library")),
    # several devices and machines
    _span("distribute.mirrored_strategy", "MirroredStrategy.__init__", "strategy"),
    _span("distribute.collective_all_reduce_strategy", "CollectiveAllReduceExtended._initialize_multi_worker", "cluster-wait",
          labels="devices.cluster"),
    _span("distribute.parameter_server_strategy_v2", "ParameterServerStrategyV2._connect_to_cluster", "cluster-wait",
          labels="devices.cluster"),
    _span("eager.remote", "connect_to_cluster", "cluster-wait", labels="devices.cluster"),
    _span("training.server_lib", "Server.__init__", "cluster-wait"),
    _span("tpu.tpu_strategy_util", "initialize_tpu_system", "cluster-wait", before=(2, 14)),
    _span("tpu.tpu_strategy_util", "initialize_tpu_system_impl", "cluster-wait", since=(2, 14)),
)
