"""Types whose state is not simply their attributes: the frameworks' tensors, variables, functions, and a few of Python's."""

from firststep_agent import kinds, ownership
from firststep_agent.boost.objects import attributes, of_thread
from firststep_agent.boost.objects.leaves import digest_of as _hash
from firststep_agent.boost.objects.parts import naming

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from firststep_agent.boost.objects.reading import Reading

    Parts = tuple[str, Sequence[tuple[str, Any]], int]  # head, children, whose attributes those are

SMALL = 128  # elements; TensorFlow bakes eager tensors up to this size into the graph as constants

# Whose attributes the `.name` children are: how `names` filters them. LIBRARY: those of a library's objects; OWN: what the program put on
# those; BELOW: of the program's objects whose class is below a library's, and which that class's own code reads as well; ALONE: of all
# others of the program's; HELD: of those that are there to hold values.
NO_FILTER, LIBRARY, OWN, BELOW, ALONE, HELD = 0, 1, 2, 3, 4, 5
OF_NO_FRAMEWORK = ALONE, HELD  # of which it may count that an attribute is there


def handler(base: type) -> "Callable[[Any, Reading], Parts] | None":
    """The expander of a class that is known by name, or None."""
    module, name = kinds.module(base), kinds.qualname(base)
    found = _KNOWN.get(f"{module}.{name}")
    if found is None and name == "Message" and str(module).startswith("google."):
        return _message
    if found is None and str(module).startswith("google._upb") and not issubclass(base, type):
        return _of_protobuf
    return found


def holds_data(cls: type) -> bool:
    """True for arrays and tensors, whose parts are their contents."""
    return str(kinds.module(cls)).partition(".")[0] in ("numpy", "tensorflow") and not issubclass(cls, type) and any(
        _KNOWN.get(kinds.qualified(base)) in (_array, _scalar, _variable, _eager, _symbolic)
        for base in kinds.mro(cls))


@kinds.once
def is_variable(cls: type) -> bool:
    """Whether its objects are TensorFlow's variables."""
    return any(handler(base) is _variable for base in kinds.mro(cls))


def is_symbolic(cls: type) -> bool:
    """Whether its objects are tensors of a graph."""
    return _first_handler(cls) is _symbolic


def is_tensor(cls: type) -> bool:
    """Whether its objects are tensors, of a graph or not."""
    return _first_handler(cls) in (_symbolic, _eager)


def _first_handler(cls: type) -> "Callable[[Any, Reading], Parts] | None":
    return next(filter(None, map(handler, kinds.mro(cls))), None)


@kinds.once
def frameworks_names(cls: type) -> "frozenset[str]":
    """Those of a framework's classes among what it is."""
    return frozenset(kinds.qualname(base) for base in kinds.mro(cls) if ownership.module_owner(kinds.module(base)) == ownership.FRAMEWORK)


def put_on(value: "Any", own: "frozenset[str]" = frozenset()) -> "list[tuple[str, Any]]":
    """The attributes that a program put on an object of a framework, filtered by the names that its code reads.

    own: names of attributes that are the framework's.
    """
    held = attributes.own(value)
    if held.keys() <= own:
        return []
    return [("." + name, child) for name, child in held.items()
            if name not in own and not name.startswith("_self_")]  # those are Trackable's notes


# ------------------------------------------------------------------ numpy


def _array(value: "Any", reading: "Reading") -> "Parts":
    import numpy

    array = value if type(value) is numpy.ndarray else numpy.ndarray.view(value, numpy.ndarray)  # without what a class makes of it
    if array.dtype.hasobject:
        return f"array {array.shape} object", [(f"#{i}", v) for i, v in enumerate(array.ravel().tolist())], NO_FILTER
    layout = "" if array.flags.c_contiguous else f"{array.strides} "
    head = f"array {_type_of(array.dtype)} {array.shape} {array.flags.writeable} {layout}{_contents(array)}"
    if array is value:
        return head, _metadata(array.dtype), NO_FILTER
    put_on = ((".." + name, child) for name, child in kinds.own(value).items())
    return head, [("class", type(value)), *_metadata(array.dtype), *put_on], NO_FILTER


def _type_of(dtype: "Any") -> "Any":
    """In words. What NumPy does not know, as `int4`, is to it so many bytes."""
    return dtype if dtype.names is not None or dtype.kind == "V" else dtype.str


def _contents(value: "Any") -> str:
    import hashlib

    import numpy

    digest = hashlib.blake2b(digest_size=16)
    contiguous = numpy.ascontiguousarray(value)  # of a subclass: its plain data
    digest.update(memoryview(contiguous.reshape(-1).view("u1")) if contiguous.size else b"")
    return digest.hexdigest()


def _dtype(value: "Any", reading: "Reading") -> "Parts":
    """Its own words leave out what the program has put on it."""
    return f"{kinds.name(type(value))} {value!r}", _metadata(value), NO_FILTER


def _metadata(dtype: "Any") -> "list[tuple[str, Any]]":
    return [] if dtype.metadata is None else [("..metadata", tuple(dtype.metadata.items()))]


def _scalar(value: "Any", reading: "Reading") -> "Parts":
    return f"scalar {_type_of(value.dtype)} {value.tobytes().hex()}", (), NO_FILTER


def _random_state(value: "Any", reading: "Reading") -> "Parts":
    """Where a stream stands counts where states are compared, or where code reads it; what may answer a trace that drew nothing from it
    holds anywhere."""
    if reading.names is not None and reading.names.by_kind[LIBRARY].isdisjoint(_STANDS):
        return f"random {kinds.name(type(value))}", (), NO_FILTER
    state = value.get_state(legacy=False) if hasattr(value, "get_state") else value.bit_generator.state
    return f"random {kinds.name(type(value))} {_told(state)}", (), NO_FILTER


_STANDS = frozenset(("get_state", "bit_generator", "__getstate__"))  # by these code reads where one of NumPy's stands


def _told(state: "Any") -> str:
    """A digest of the dictionaries, numbers and arrays that a generator's state is made of."""
    if type(state) is dict:
        return _hash(repr([(key, _told(each)) for key, each in sorted(state.items())]).encode())
    return _contents(state) if hasattr(state, "tobytes") else repr(state)


def _python_random(value: "Any", reading: "Reading") -> "Parts":
    if reading.names is not None:
        return "random.Random", (), NO_FILTER
    return "random.Random " + _hash(repr(value.getstate()).encode()), (), NO_FILTER


@kinds.once
def is_stream(cls: type) -> bool:
    """Whether its objects are generators of random numbers."""
    return any(handler(base) in (_random_state, _python_random) for base in kinds.mro(cls))


def _time_zone(value: "Any", reading: "Reading") -> "Parts":
    """Without asking the zone for its own words: those of a package's are its code, which would seem to have been run by the trace."""
    cls = type(value)
    if kinds.module(cls) == "datetime":
        return _represented(value, reading)
    return f"time zone {kinds.qualified(cls)}", [("." + n, v) for n, v in kinds.own(value).items()], NO_FILTER


def _named(value: "Any", reading: "Reading") -> "Parts":
    return f"{kinds.name(type(value))} {value.__name__}", (), NO_FILTER


def _represented(value: "Any", reading: "Reading") -> "Parts":
    return f"{kinds.name(type(value))} {value!r}", (), NO_FILTER


# ------------------------------------------------------------------ TensorFlow


def _variable(value: "Any", reading: "Reading") -> "Parts":
    shape = value._shape
    dims = shape.as_list() if shape.rank is not None else None
    head = (f"variable {value._dtype.name} {dims} {value.device} {value._trainable} {_enum_name(value._synchronization)} "
            f"{_enum_name(value._aggregation)}")
    if id(value) in reading.values and not is_symbolic(type(value._handle)):  # a graph's has contents in sessions alone
        head += " " + _tensor_contents(value.read_value())
    children = [(".._handle", value._handle), (".name", value._handle_name), *put_on(value, _OF_VARIABLES)]
    if value._constraint is not None:  # Keras 2's optimizers call it in the step
        children.append((".._constraint", value._constraint))
    return head, children, OWN


_OF_VARIABLES = frozenset(
    """_in_graph_mode _trainable _synchronization _aggregation _save_slice_info _initial_value _initializer_op
    _is_initialized_op _graph_element _caching_device _cached_value _distribute_strategy _graph_key _shape _dtype _handle
    _unique_id _handle_name _constraint _cached_shape_as_list _validate_shape _xla_sharding _variable_read""".split()
)


def _enum_name(value: "Any") -> "Any":
    return getattr(value, "name", value)


def _eager(value: "Any", reading: "Reading") -> "Parts":
    shape = value._shape_tuple()
    dtype = value.dtype
    head = f"tensor {dtype.name} {shape} {value.device}"
    if dtype.name in ("resource", "variant"):
        return head, (), NO_FILTER
    size = 1
    for n in shape:
        size *= n
    if size <= SMALL or id(value) in reading.values:
        head += " " + _tensor_contents(value)
    return head, put_on(value), OWN


def _tensor_contents(value: "Any") -> str:
    array = value._numpy_internal()
    if getattr(array, "dtype", None) is None:
        return repr(array)
    if array.dtype.hasobject:
        return _hash(repr(array.tolist()).encode())
    import numpy

    return _contents(numpy.asarray(array))


def _symbolic(value: "Any", reading: "Reading") -> "Parts":
    return f"symbolic {value.dtype!r} {value.shape}", (), NO_FILTER


def _spec(value: "Any", reading: "Reading") -> "Parts":
    return f"{kinds.qualname(type(value))} {value!r}", (), NO_FILTER


def _polymorphic(value: "Any", reading: "Reading") -> "Parts":
    options = [value._name, bool(value._autograph), value._jit_compile, value._reduce_retracing, str(value.input_signature),
               str(value._experimental_autograph_options), str(sorted((value._attributes or {}).items()))]
    added = [(step, child) for step, child in put_on(value) if step[1] != "_"]
    return f"tf.function {options}", [("python_function", value._python_function), *added], OWN


def _dataset(value: "Any", reading: "Reading") -> "Parts":
    """A loop over one, or its iterator, captures a tensor that stands for it."""
    held = kinds.own(value)
    children = [("." + name, held[name]) for name in ("_variant_tensor_attr", "_iterator_resource") if name in held]
    return f"dataset {kinds.qualname(type(value))} {value.element_spec!r}", children, NO_FILTER


def _strategy(value: "Any", reading: "Reading") -> "Parts":
    return f"strategy {kinds.qualname(type(value))} {value.num_replicas_in_sync}", (), NO_FILTER


def _by_type(value: "Any", reading: "Reading") -> "Parts":
    return f"a {kinds.qualified(type(value))}", (), NO_FILTER


def _concrete(value: "Any", reading: "Reading") -> "Parts":
    """One of a class below TensorFlow's own, which may be called in another way; one that is answered has no graph yet."""
    return "!a traced function (`ConcreteFunction`)", (), NO_FILTER


def _message(value: "Any", reading: "Reading") -> "Parts":
    return "message " + _hash(value.SerializeToString(deterministic=True)), (), NO_FILTER


def _of_protobuf(value: "Any", reading: "Reading") -> "Parts":
    """A message, a description of one, or another of the objects that protobuf keeps in C."""
    if hasattr(value, "SerializeToString"):
        return _message(value, reading)
    if hasattr(value, "full_name") and hasattr(value, "file"):
        return f"descriptor {value.full_name} {_hash(value.file.serialized_pb)}", (), NO_FILTER
    return f"!a `{kinds.qualname(type(value))}` of protobuf", (), NO_FILTER


def _logger(value: "Any", reading: "Reading") -> "Parts":
    """What it lets through goes by the loggers above it and by `logging.disable`, too."""
    held = kinds.own(value)
    manager = held.get("manager")
    off = manager.disable if manager is not None and kinds.qualified(type(manager)) == "logging.Manager" else None
    told = [held.get("level"), _level_above(value), off, bool(held.get("disabled")), bool(held.get("propagate"))]
    return f"logger {held.get('name')} {told}", [("..handlers", tuple(_handlers(value)))], NO_FILTER


def _handlers(logger: "Any") -> "Iterator[str]":
    """Which handlers and filters stand at a logger, and at those above it. What they do is code, which is looked for where it has run."""
    while logger is not None:
        held = kinds.own(logger)
        for handler in held.get("handlers") or ():
            of = kinds.own(handler)
            yield f"{kinds.qualified(type(handler))} {of.get('level')} {len(of.get('filters') or ())}"
        yield f"{len(held.get('filters') or ())} filters"
        logger = held.get("parent")


def _level_above(logger: "Any") -> "Any":
    """The first level that is set, from a logger on; 0 where none is."""
    while logger is not None:
        held = kinds.own(logger)
        if held.get("level"):
            return held["level"]
        logger = held.get("parent")
    return 0


def flags(value: "Any", reading: "Reading") -> "Parts":
    """absl's flags by name; what it keeps of modules is keyed by ids."""
    named = value.__dict__["__flags"]
    return f"flags {value.__dict__['__flags_parsed']}", [("." + name, _value_of(flag)) for name, flag in sorted(named.items())], OWN


def _value_of(flag: "Any") -> "Any":
    """The very object: a flag that holds a dictionary gives a copy of it to each who asks, which would seem to be new every time."""
    value, kept = flag.value, kinds.own(flag).get("_value")
    return kept if kinds.is_a(value, dict) and type(kept) is type(value) and kept == value else value


def _local(value: "Any", reading: "Reading") -> "Parts":
    return "threading.local", [("." + n, v) for n, v in of_thread.held(value).items()], NO_FILTER


def _context_variable(value: "Any", reading: "Reading") -> "Parts":
    """What it is in the current context."""
    try:
        held = [("..value", value.get())]
    except LookupError:
        held = []
    return f"context variable {value.name}", held, NO_FILTER


def _signature(value: "Any", reading: "Reading") -> "Parts":
    parameters = list(value.parameters.values())
    told = [f"{each.name} {int(each.kind)} {naming.told(each.annotation)}" for each in parameters]
    defaults = [(f"..default {each.name}", each.default) for each in parameters if each.default is not each.empty]
    return f"signature {told} {naming.told(value.return_annotation)}", defaults, NO_FILTER


def _pattern(value: "Any", reading: "Reading") -> "Parts":
    return f"pattern {value.pattern!r} {value.flags}", (), NO_FILTER


def _type_variable(value: "Any", reading: "Reading") -> "Parts":
    return f"type variable {value!r} {naming.told(value.__bound__)} {naming.told(value.__constraints__)}", (), NO_FILTER


_KNOWN = {
    "numpy.ndarray": _array,
    "numpy.generic": _scalar,
    "numpy.dtype": _dtype,
    "numpy.ufunc": _named,
    "numpy.random.mtrand.RandomState": _random_state,
    "numpy.random._generator.Generator": _random_state,
    "random.Random": _python_random,
    "random.SystemRandom": _by_type,  # the kernel's, which has no state
    "re.Pattern": _pattern,
    "absl.flags._flagvalues.FlagValues": flags,
    "logging.Logger": _logger,
    "os._Environ": _by_type,  # what is looked up in it is watched
    "_thread._local": _local,
    "_contextvars.ContextVar": _context_variable,
    "inspect.Signature": _signature,
    "datetime.date": _represented,
    "datetime.time": _represented,
    "datetime.timedelta": _represented,
    "datetime.tzinfo": _time_zone,
    "decimal.Decimal": _represented,
    "fractions.Fraction": _represented,
    "uuid.UUID": _represented,
    "pathlib.PurePath": _represented,
    "pathlib._local.PurePath": _represented,
    "operator.itemgetter": _represented,
    "operator.attrgetter": _represented,
    "operator.methodcaller": _represented,
    "types.GenericAlias": _represented,
    "types.UnionType": _represented,
    "typing._GenericAlias": _represented,
    "typing.TypeVar": _type_variable,
    "tensorflow.python.ops.resource_variable_ops.BaseResourceVariable": _variable,
    "tensorflow.python.framework.ops._EagerTensorBase": _eager,
    "tensorflow.python.framework.ops.Tensor": _symbolic,
    "tensorflow.python.framework.tensor.Tensor": _symbolic,
    "tensorflow.python.framework.ops.Operation": _by_type,
    "tensorflow.python.framework.dtypes.DType": lambda value, reading: (f"dtype {value.name}", (), NO_FILTER),
    "tensorflow.python.framework.tensor_shape.TensorShape": lambda value, reading: (f"shape {value}", (), NO_FILTER),
    "tensorflow.python.framework.type_spec.TypeSpec": _spec,
    "tensorflow.python.framework.ops.Graph": _by_type,
    "tensorflow.python.eager.context.Context": _by_type,
    "tensorflow.python.eager.polymorphic_function.polymorphic_function.Function": _polymorphic,
    "tensorflow.python.eager.polymorphic_function.concrete_function.ConcreteFunction": _concrete,
    "tensorflow.python.eager.polymorphic_function.monomorphic_function.ConcreteFunction": _concrete,
    "tensorflow.python.data.ops.dataset_ops.DatasetV2": _dataset,
    "tensorflow.python.data.ops.iterator_ops.IteratorBase": _dataset,
    "tensorflow.python.distribute.distribute_lib.StrategyBase": _strategy,
}

# Those that tell of an object's attributes as well, or of those that a program may have put on it.
_TELL_ATTRIBUTES = (_array, _variable, _eager, _polymorphic, _time_zone, _local)


# What the words of an object are made with -> names that a class below the known one may not define, or its own code would run.
_ASKED_FOR: "dict[Any, tuple[str, ...]]" = {
    _random_state: ("get_state", "bit_generator"),
    _python_random: ("getstate",),
    _pattern: ("pattern", "flags"),
    _array: (), _by_type: (), _local: (), _logger: (), _time_zone: (),
}
_ALWAYS = ("__getattribute__", "__getattr__")
_IN_EVERY_CLASS = frozenset("""__module__ __qualname__ __doc__ __dict__ __weakref__ __slots__ __annotations__ __init__ __new__
    __firstlineno__ __static_attributes__ __init_subclass__ __abstractmethods__ _abc_impl""".split())


def runs_own_code(cls: type, known: type) -> bool:
    """Whether an object of a class of the program's would run code of its own when it is told as one of the known class."""
    asked_for = _ASKED_FOR.get(handler(known))
    for base in kinds.mro(cls):
        if base is known:
            return False
        defined = kinds.namespace(base).keys()
        if not defined.isdisjoint(_ALWAYS if asked_for is None else (*asked_for, *_ALWAYS)):
            return True
        if asked_for is None and any(name in kinds.namespace(above) for name in defined - _IN_EVERY_CLASS for above in kinds.mro(known)):
            return True
    return False


def tells_attributes(cls: type) -> bool:
    """False for a class that is known by name and whose objects may have attributes that their words leave out."""
    known = next(filter(None, map(handler, kinds.mro(cls))), None)
    return known is None or known in _TELL_ATTRIBUTES
