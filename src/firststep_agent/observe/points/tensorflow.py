"""Hook points of TensorFlow 2: devices, functions, variables, data, saved models, strategies."""

from firststep_agent.observe.labels import calls, data, devices, files, graphs, values
from firststep_agent.observe.points import Point

P = "tensorflow.python."
PF = P + "eager.polymorphic_function."

POINTS = (
    # devices and the runtime
    Point(P + "eager.context", "Context._initialize_physical_devices", "device-discovery",
          labels=devices.found, when=devices.not_yet_discovered),
    Point(P + "eager.context", "Context.ensure_initialized", "runtime-init",
          labels=devices.created, when=devices.not_yet_initialised, once=True),
    Point(P + "client.device_lib", "list_local_devices", "device-discovery"),
    Point(P + "framework.test_util", "is_gpu_available", "device-discovery"),
    Point(P + "eager.context", "Context.set_visible_devices", "device-configuration", labels=devices.asked),
    Point(P + "eager.context", "Context.set_memory_growth", "device-configuration", labels=devices.asked),
    Point(P + "eager.context", "Context.set_logical_device_configuration", "device-configuration",
          labels=devices.asked),
    # tracing
    Point(PF + "tracing_compilation", "_create_concrete_function", "trace", since=(2, 14),
          name=graphs.traced_name, labels=graphs.traced, presized=True, late=True),
    Point(PF + "tracing_compiler", "TracingCompiler._create_concrete_function", "trace", before=(2, 14),
          name=graphs.compiler_name, labels=graphs.compiler_traced, late=True),
    Point(P + "autograph.pyct.transpiler", "GenericTranspiler.transform_function", "autograph",
          name=graphs.converted_name, labels=graphs.converted),
    Point(P + "autograph.pyct.loader", "load_ast", "autograph", name=graphs.loaded_name),
    Point(P + "ops.gradients_util", "_GradientsHelper", "gradients", labels=graphs.gradients),
    Point(P + "eager.backprop", "GradientTape.gradient", "gradients", labels=graphs.tape_gradients,
          when=graphs.kind_of_gradients),
    Point(PF + "atomic_function", "from_func_graph", "function-register", since=(2, 13),
          name=graphs.registered_name, labels=graphs.registered),
    Point(PF + "monomorphic_function", "_EagerDefinedFunction.__init__", "function-register", before=(2, 13),
          name=graphs.defined_name),
    Point(PF + "polymorphic_function", "Function._initialize_uninitialized_variables", "initialiser",
          name=graphs.lifted_name, labels=graphs.lifted, when=graphs.has_initialisers),
    # execution of functions
    Point(P + "eager.context", "Context.call_function", "first-call", since=(2, 13),
          name=calls.function_name, labels=calls.function, when=calls.is_first, counted=True, splits=True),
    # variables and initialisers
    Point(P + "ops.resource_variable_ops", "ResourceVariable._init_from_args", "variable",
          name=values.asked_name, labels=values.variable),
    Point(PF + "polymorphic_function", "UnliftedInitializerVariable.__init__", "variable",
          name=values.asked_name, labels=values.lifted_variable),
    *(Point(P + "ops.init_ops_v2", f"{name}.__call__", "initialiser",
            name=values.initialiser_name, labels=values.initialiser)
      for name in ("Zeros", "Ones", "Constant", "RandomUniform", "RandomNormal", "TruncatedNormal", "VarianceScaling",
                   "Orthogonal", "Identity")),
    # saved models and checkpoints
    Point(P + "saved_model.load", "load_partial", "model-load", name=files.first_argument, labels=files.saved_model),
    Point(P + "saved_model.load", "Loader.__init__", "graph-import", name=files.loader_name),
    Point(P + "saved_model.load", "Loader._load_all", "model-build"),
    Point(P + "saved_model.load", "Loader._restore_checkpoint", "checkpoint"),
    Point(P + "saved_model.function_deserialization", "load_function_def_library", "graph-import",
          labels=graphs.library),
    Point(P + "checkpoint.checkpoint", "TrackableSaver.restore", "checkpoint",
          name=files.second_argument, labels=files.checkpoint),
    Point(P + "training.py_checkpoint_reader", "NewCheckpointReader", "checkpoint", name=files.first_argument),
    # input pipelines
    Point(P + "data.ops.structured_function", "StructuredFunctionWrapper.__init__", "data-function",
          name=data.function_name, labels=data.function),
    Point(P + "data.ops.shuffle_op", "_ShuffleDataset.__init__", "data-pipeline", labels=data.shuffle),
    Point(P + "data.ops.from_tensor_slices_op", "_TensorSliceDataset.__init__", "data-pipeline",
          labels=data.constants),
    Point(P + "data.ops.from_tensors_op", "_TensorDataset.__init__", "data-pipeline", labels=data.constants),
    Point(P + "data.ops.cache_op", "CacheDataset.__init__", "data-pipeline", labels=data.cache),
    Point(P + "data.ops.iterator_ops", "OwnedIterator._create_iterator", "data-iterator", labels=data.iterator),
    Point(P + "data.ops.iterator_ops", "OwnedIterator._next_internal", "data-first-element",
          when=data.is_first_element),
    # profiles of the program's own
    Point(P + "profiler.profiler_v2", "start", "profiler"),
    Point(P + "profiler.profiler_v2", "stop", "profiler"),
    # libraries of operations
    *(Point(P + "framework.load_library", name, "custom-op-library", name=files.first_argument)
      for name in ("load_op_library", "load_library", "load_pluggable_device_library")),
    # several devices and machines
    Point(P + "distribute.mirrored_strategy", "MirroredStrategy.__init__", "strategy"),
    Point(P + "distribute.collective_all_reduce_strategy", "CollectiveAllReduceExtended._initialize_multi_worker",
          "cluster-wait", labels=devices.cluster),
    Point(P + "distribute.parameter_server_strategy_v2", "ParameterServerStrategyV2._connect_to_cluster",
          "cluster-wait", labels=devices.cluster),
    Point(P + "eager.remote", "connect_to_cluster", "cluster-wait", labels=devices.cluster),
    Point(P + "training.server_lib", "Server.__init__", "cluster-wait"),
    Point(P + "tpu.tpu_strategy_util", "initialize_tpu_system", "cluster-wait", before=(2, 14)),
    Point(P + "tpu.tpu_strategy_util", "initialize_tpu_system_impl", "cluster-wait", since=(2, 14)),
)
