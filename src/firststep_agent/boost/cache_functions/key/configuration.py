"""The configuration of this process that decides what a trace and its optimisation give: builds, hardware, settings.

Every setting is read where its library keeps it. A library that is not loaded has none, and that is part of the key; a setting that
cannot be read otherwise is no part of any key: then there is none. Nothing is initialised by reading.
"""

import re
import sys

# Environment variables that the native libraries read when they please; those that only steer logging are left out.
from firststep_agent import kinds, ownership, streams
from firststep_agent.as_found import open, os
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType
    from typing import Any

_PLAIN = (bool, int, float, str, type(None))
_PREFIXES = ("TF_", "XLA_", "KMP_", "OMP_", "MKL_", "DNNL_", "ONEDNN_",
             "CUDA_", "NVIDIA_", "KERAS_", "TF2_", "GOMP_", "OPENBLAS_", "MIOPEN_", "ROCM_", "HIP_", "AUTOGRAPH_")
_PACKAGES = (("TensorFlow", "tensorflow"), ("Keras", "keras"), ("tf_keras", "tf_keras"), ("NumPy", "numpy"), ("ml_dtypes", "ml_dtypes"),
             ("optree", "optree"))
_DEVICE_LIBRARY = re.compile(r"/lib(cudart|cublas|cublasLt|cudnn|cufft|cusolver|cusparse|amdhip64|MIOpen|rocblas)\.so[^/]*$")
_LOGGING = ("TF_CPP_", "AUTOGRAPH_VERBOSITY")

_fixed: "list" = []


class Unreadable(Exception):
    """A setting that counts cannot be read here: which one, and why."""


class _NotLoaded(Exception):
    """The library that a setting is of is not loaded, or has not begun."""


def configuration() -> "list[tuple[str, str]]":
    """[(name, value as text)] of everything that counts, in a fixed order. Raises Unreadable."""
    return _builds_and_hardware() + [(name, _text(name, read)) for name, read in _SETTINGS]


def _text(name: str, read: "Callable[[], Any]") -> str:
    try:
        return str(read())
    except _NotLoaded:
        return "not loaded"
    except Exception as error:
        if is_theirs(error):
            raise
        raise Unreadable(f"{name} cannot be read: {type(error).__name__}: {error}") from error


def has_devices() -> bool:
    """Whether TensorFlow has found its devices, as it does before it does anything with one."""
    return bool(getattr(streams.tensorflow_context(), "_initialized", False))


def of_machine() -> "list[tuple[str, str]]":
    """What of the configuration decides what a compiler makes of a graph, and cannot change once TensorFlow has its devices."""
    return [("TensorFlow", f"{_module('tensorflow').__version__} {_file(_module('tensorflow'))}"), ("CPU", _cpu()),
            ("accelerators", _text("accelerators", _accelerators))]


def of_compilers() -> "list[tuple[str, str]]":
    """What else of it does, and may change."""
    return [(name, _text(name, read)) for name, read in _SETTINGS if read in _OF_COMPILERS]


# ------------------------------------------------------------------ what cannot change while the process lives


def _builds_and_hardware() -> "list[tuple[str, str]]":
    if not _fixed:
        for name, package in _PACKAGES:
            module = sys.modules.get(package)
            if module is not None:
                _fixed.append((name, f"{getattr(module, '__version__', '')} {_file(module)}"))
        _fixed.append(("CPU", _cpu()))
    return list(_fixed)


def _file(module: "Any") -> str:
    try:
        found = os.stat(module.__file__)
    except (OSError, TypeError, AttributeError) as error:
        if is_theirs(error):
            raise
        return "no file"
    return f"{module.__file__} {found.st_size} {found.st_mtime_ns}"


def _cpu() -> str:
    words = []
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if not line.strip():
                    break
                name = line.partition(":")[0].strip()
                if name in ("vendor_id", "cpu family", "model", "model name", "stepping", "flags", "Features",
                            "cache size", "CPU implementer", "CPU part"):
                    words.append(line.strip())
    except OSError as error:
        if is_theirs(error):
            raise
    return f"{os.uname().machine} {words}"


# ------------------------------------------------------------------ what the program may change at any time


def _module(name: str) -> "ModuleType":
    """A module of a framework. TensorFlow loads all of these; Keras's are another version's where they are not loaded."""
    if name not in sys.modules and (not name.startswith("tensorflow.") or "tensorflow" not in sys.modules):
        raise _NotLoaded(name)
    return sys.modules[name]


def _context() -> "Any":
    context = _module("tensorflow.python.eager.context")._context
    if context is None:
        raise _NotLoaded("TensorFlow is imported, and nothing has been asked of it yet")
    return context


def _cpus() -> str:
    return f"{os.cpu_count()} {sorted(os.sched_getaffinity(0))}"


def _environment() -> "list[tuple[str, str]]":
    return sorted((k, v) for k, v in variables() if k.startswith(_PREFIXES) and not k.startswith(_LOGGING))


def variables() -> "Iterator[tuple[str, str]]":
    """The environment, read where no trace is watched: a trace that reads it is, and another thread's may be under way."""
    for name, value in dict.items(os.environ._data):  # type: ignore[attr-defined]
        yield os.fsdecode(name), os.fsdecode(value)


def _config_proto() -> "Any":
    return _context().config.SerializeToString(deterministic=True).hex()


def _call_options() -> str:
    options = _context().function_call_options
    return f"{options.executor_type} {options.config_proto_serialized.hex()}"


def _context_settings() -> "list[tuple[str, str]]":
    context = _context()
    names = ("_device_policy", "_soft_device_placement", "_log_device_placement", "_jit_compile_rewrite", "_intra_op_parallelism_threads",
             "_inter_op_parallelism_threads", "_optimizer_jit", "_optimizer_experimental_options", "_default_is_async",
             "_use_tfrt", "_operation_timeout_in_ms", "_virtual_device_map", "_collective_leader")
    return [(n, str(getattr(context, n))) for n in names]


def _devices() -> str:
    context = _context()
    logical = context._logical_devices
    return f"{context.device_name} {[(d.name, d.device_type) for d in logical] if logical else None}"


def _accelerators() -> "list[str] | None":
    """Model, capability, driver and libraries of what is no CPU: what the optimiser makes of a graph depends on them."""
    context = _context()
    devices = [d for d in context._physical_devices or () if d.device_type != "CPU"]
    if not devices:
        return None
    build = dict(_module("tensorflow.python.platform.build_info").build_info)
    found = [str(sorted(context.get_device_details(d).items())) for d in devices] + [str(sorted((k, str(v)) for k, v in build.items()))]
    try:
        with open("/proc/driver/nvidia/version", encoding="utf-8", errors="replace") as file:
            found.append(file.readline().strip())
    except OSError as error:
        if is_theirs(error):
            raise
    return found + _device_libraries()


def _device_libraries() -> "list[str]":
    """What this process uses of CUDA: a build is for a range of versions, and the linker takes the first that it finds. TensorFlow opens
    these before it has a device; what they open themselves, and when, follows from them."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
            paths = {line.split(None, 5)[5].strip() for line in maps if ".so" in line}
    except OSError as error:
        if is_theirs(error):
            raise
        return []
    found = []
    for path in sorted(path for path in paths if _DEVICE_LIBRARY.search(path)):
        try:
            known = os.stat(path)
            found.append(f"{path} {known.st_size} {known.st_mtime_ns}")
        except OSError as error:
            if is_theirs(error):
                raise
            found.append(path)
    return found


def _callbacks() -> "list[str]":
    return [_qualified(c) for c in _context().op_callbacks]


def _strategy() -> str:
    lib = _module("tensorflow.python.distribute.distribute_lib")
    strategy = lib.get_strategy()
    kind = f"{type(strategy).__module__}.{type(strategy).__qualname__}"
    return f"{lib.has_strategy()} {kind} {strategy.num_replicas_in_sync} {lib.in_cross_replica_context()}"


def _eager_functions() -> "Any":
    return _module("tensorflow.python.eager.polymorphic_function.eager_function_run").RUN_FUNCTIONS_EAGERLY


def _determinism() -> str:
    lib = _module("tensorflow.python.framework.config")
    return f"{lib.is_op_determinism_enabled()} {lib.tensor_float_32_execution_enabled()}"


def _flags() -> "list[tuple[str, Any]]":
    flags = _module("tensorflow.core.config.flags").config()
    return [(name, getattr(flags, name).value()) for name in dir(flags) if not name.startswith("_")]


def _tensor_methods() -> "list[Any]":
    """Operators and methods of tensors: NumPy behaviour, tensor equality and the like replace them."""
    tensor = _module("tensorflow.python.framework.tensor")
    variable = _module("tensorflow.python.ops.resource_variable_ops").BaseResourceVariable
    from firststep_agent.boost.objects import bytecode

    found = [tensor.Tensor._USE_EQUALITY]
    for cls in (tensor.Tensor, variable):
        for name, value in sorted(vars(cls).items()):
            code = getattr(value, "__code__", None)
            if code is not None and ownership.is_ours(code.co_filename):  # what listens there: `prove` has more of it than a start has
                code = getattr(getattr(value, "__wrapped__", None), "__code__", None)
            if code is not None:
                found.append((name, bytecode.mark(code)))
    return found


def _behaviour() -> "list[Any]":
    tf2 = _module("tensorflow.python.tf2")
    control_flow = _module("tensorflow.python.ops.control_flow_util")
    return [tf2.enabled(), control_flow.ENABLE_CONTROL_FLOW_V2]


def _numpy_dtypes() -> "list[bool] | None":
    lib = sys.modules.get("tensorflow.python.ops.numpy_ops.np_dtypes")
    return None if lib is None else [lib.is_prefer_float32(), lib.is_allow_float64()]


def _numpy_settings() -> str:
    numpy = _module("numpy")
    return f"{numpy.geterr()} {numpy.get_printoptions()}"


def _promotion() -> "Any":
    return _module("tensorflow.python.framework.ops").get_dtype_conversion_mode()


def _autograph() -> str:
    context = _module("tensorflow.python.autograph.core.ag_ctx").control_status_ctx()
    return f"{context.status} {context.options}"


def _eager_scope() -> str:
    """Device and naming scopes that are open around the call."""
    ops = _module("tensorflow.python.framework.ops")
    data = _context()._thread_local_data
    graph = ops.get_default_graph() if not data.is_eager else None
    return f"{data.device_name} {data.scope_name} {data.is_eager} {graph is None}"


def _keras() -> "list[tuple[str, str]]":
    config = _module("keras.src.backend.config")
    names = sorted(n for n, v in vars(config).items()
                   if n.startswith("_") and kinds.is_a(v, _PLAIN) and not n.startswith("__"))
    return [(n, repr(getattr(config, n))) for n in names]


def _keras_globals() -> "list[tuple[str, Any]]":
    """Keras's global state for this thread, except what only numbers names or is reached in another way."""
    state = _module("keras.src.backend.common.global_state").GLOBAL_STATE_TRACKER
    found = []
    for name, value in sorted(vars(state).items()):
        if value is None or name in _KERAS_RUNNING:  # Keras asks for all of them with None for what is not there
            continue
        if name in ("current_call_ctx", "keras_call_context"):  # they hold the layer that is called
            value = str(sorted((key, each) for key, each in getattr(value, "__dict__", {}).items() if kinds.is_a(each, _PLAIN)))
        found.append((name, _told(value)))
    return found


def _told(value: "Any", depth: int = 0) -> "Any":
    """Plain values, what is in lists and in dictionaries by name, and what is plain in an object of Keras's: a scope, a policy."""
    if kinds.is_a(value, _PLAIN):
        return value
    if depth < _DEEP and kinds.is_just(value, list, tuple):
        return [_told(each, depth + 1) for each in value]
    own = dict(value if type(value) is dict else kinds.own(value)) if depth < _DEEP else {}
    named = sorted((key, _told(each, depth + 1)) for key, each in own.items() if type(key) is str)
    return kinds.qualified(type(value)), named


_DEEP = 3


_KERAS_RUNNING = ("object_name_uids", "name_scope_stack", "global_seed_generator", "uid_prefixes",
                  "custom_objects_scope_dict", "tracking_on")


def _keras_legacy() -> "list[Any] | None":
    for root in ("tf_keras.src", "keras.src", "keras"):
        backend = sys.modules.get(root + ".backend_config") or sys.modules.get(root + ".backend.config")
        if backend is not None:
            policy = sys.modules.get(root + ".mixed_precision.policy")
            return [backend._FLOATX, backend._EPSILON, backend._IMAGE_DATA_FORMAT, None if policy is None else str(policy._global_policy)]
    return None


def _generator() -> "tuple[str, Any] | None":
    """By which algorithm TensorFlow's own generator draws; None where nobody has asked for one."""
    generator = _module("tensorflow.python.ops.stateful_random_ops").global_generator
    if generator is None or ownership.is_user_class(type(generator)):
        return None if generator is None else (kinds.qualified(type(generator)), None)
    return kinds.qualified(type(generator)), generator.algorithm


def _qualified(value: "Any") -> str:
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', type(value).__qualname__)}"


_SETTINGS = (
    ("visible CPUs", _cpus),
    ("environment of the native libraries", _environment),
    ("TensorFlow's configuration", _config_proto),
    ("TensorFlow's function call options", _call_options),
    ("TensorFlow's context", _context_settings),
    ("devices", _devices),
    ("accelerators", _accelerators),
    ("op callbacks", _callbacks),
    ("distribution strategy", _strategy),
    ("run functions eagerly", _eager_functions),
    ("determinism and TensorFloat-32", _determinism),
    ("TensorFlow's flags", _flags),
    ("operators of tensors", _tensor_methods),
    ("TensorFlow 2 behaviour", _behaviour),
    ("NumPy dtypes in TensorFlow", _numpy_dtypes),
    ("TensorFlow's own generator", _generator),
    ("NumPy's settings", _numpy_settings),
    ("dtype promotion", _promotion),
    ("AutoGraph", _autograph),
    ("scopes around the call", _eager_scope),
    ("Keras's settings", _keras),
    ("Keras's global state", _keras_globals),
    ("Keras 2's settings", _keras_legacy),
)
_OF_COMPILERS = (_cpus, _environment, _config_proto, _context_settings, _determinism)
