"""Variables and the initialisers that fill them."""

from firststep_agent import kinds
from firststep_agent.observe import frameworks
from firststep_agent.observe.eagerness import eager, no_tape
from firststep_agent.observe.labels import argument, said
from firststep_agent.observe.labels.places import user_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_given: "set[int]" = set()  # numbers of variables that were given a value: what a loop gives one again and again is computed
_SIZES = {"bfloat16": 2, "half": 2, "float": 4, "double": 8, "bool": 1, "complex64": 8, "complex128": 16}


def measured(shape: "Any", dtype: "Any") -> "dict[str, Any]":
    """{"shape", "dtype", "bytes"} as far as they are known."""
    name = dtype if isinstance(dtype, str) else getattr(dtype, "name", None) or str(dtype)
    try:
        sizes = [None if size is None else int(size) for size in shape]
    except (TypeError, ValueError):
        return {"dtype": name}
    size = _item_size(name)
    for one in sizes:
        size = None if size is None or one is None else size * one
    return {"shape": sizes, "dtype": name, **({} if size is None else {"bytes": size})}


def _item_size(dtype: str) -> "int | None":
    if dtype in _SIZES:
        return _SIZES[dtype]
    digits = "".join(character for character in dtype if character.isdigit())
    return int(digits) // 8 if digits else None


def asked_name(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> str:
    return said.text("variable" if kwargs.get("name") is None else kwargs["name"])


def variable(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    made = args[0]
    _given.discard(id(made))
    return {"name": made.name, **measured(made.shape, made.dtype), **which(made)}


def which(made: object) -> "dict[str, Any]":
    """Which variable it is: one that is gone may have had the same number before."""
    return {"variable": id(made)}


def lifted_variable(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    return {**variable(args, kwargs, result), "lifted": True}


def own_name(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> "Any":
    return args[0].name


def is_set(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> bool:
    """Whether a variable is given its first value outside of a training step. Numbers by themselves are counters, metrics, rates."""
    made = args[0]
    if id(made) in _given or not eager() or not no_tape() or not made.shape.rank or frameworks.newest.is_applying():
        return False
    _given.add(id(made))
    return True


def assigned(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    return {**measured(args[0].shape, args[0].dtype), **which(args[0]), **user_line()}


def keras_name(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> str:
    return getattr(args[0], "path", None) or getattr(args[0], "name", None) or "variable"


def keras_variable(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    made = args[0]
    given = argument(args, kwargs, 1, "initializer")
    initialiser = getattr(made, "_initializer", None) if given is None else given
    labels = {"name": keras_name(args, kwargs), **measured(made._shape, made._dtype)}
    return {**labels, "initialiser": _kind(initialiser)} if initialiser is not None else labels


def _kind(initialiser: "Any") -> str:
    """A function's own name, else the class's."""
    return str(initialiser.__name__) if type(initialiser) is kinds.FUNCTION else kinds.name(type(initialiser))


def initialiser_name(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> str:
    return kinds.name(type(args[0]))


def initialiser(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    dtype = getattr(result, "dtype", None) or argument(args, kwargs, 2, "dtype") or "float32"
    shape = getattr(result, "shape", None)
    labels = measured(argument(args, kwargs, 1, "shape") if shape is None else shape, dtype)
    symbolic = {} if eager() else {"symbolic": True}  # operations of a graph, which computes the value later, or never
    return {"initialiser": initialiser_name(args, kwargs), **labels, **symbolic}
