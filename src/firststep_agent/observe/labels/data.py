"""Input pipelines."""

from weakref import WeakSet

from firststep_agent import kinds
from firststep_agent.observe import first_batches
from firststep_agent.observe.eagerness import eager
from firststep_agent.observe.labels import argument, said
from firststep_agent.observe.labels.places import user_line
from firststep_agent.observe.labels.values import measured

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_iterators: "WeakSet[Any]" = WeakSet()  # whose first element has been fetched


def function_name(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> str:
    return said.name(argument(args, kwargs, 1, "func"))


def function(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    return {"transformation": said.text(argument(args, kwargs, 2, "transformation_name"))}


def shuffle(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    buffer_size = argument(args, kwargs, 2, "buffer_size")
    return {"what": "shuffle", "buffer_size": buffer_size if type(buffer_size) is int else said.text(buffer_size), **user_line()}


def constants(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    total = sum(measured(one.shape, one.dtype).get("bytes", 0) for one in getattr(args[0], "_tensors", ()))
    return {"what": "constants", "bytes": total, **user_line()}


def cache(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    filename = argument(args, kwargs, 2, "filename")
    return {"what": "cache", "file": said.text(filename) if kinds.is_a(filename, str) else None, **user_line()}


def iterator(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    dataset = argument(args, kwargs, 1, "dataset")
    first_batches.made(args[0], dataset)
    return {"dataset": kinds.name(type(dataset)), "element": _shown(said.attribute(dataset, "element_spec"))[:200],
            "chain": _chain(dataset), **which(args, kwargs, result), **user_line()}


def which(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    """Which iterator it is: one that is gone may have had the same number before."""
    return {"iterator": id(args[0])}


def first(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    return {**which(args, kwargs, result), **first_batches.of_first(args[0])}


def _shown(spec: "Any") -> str:
    """In words, what an element is made of: the program's own types by their names."""
    inner = said.items(spec)
    if inner is None:
        return "" if spec is None else said.text(spec) if said.is_of_program(spec) else str(spec)
    return f"({', '.join(map(_shown, inner))})"


def _chain(dataset: "Any") -> "list[str]":
    """[transformation, ...] from the source on: "TensorSlice", "Map", "Batch", "Shuffle"; of several inputs the first."""
    names: list[str] = []
    while dataset is not None and len(names) < 40:
        names.append(kinds.name(type(dataset)).strip("_").replace("Dataset", "").replace("V2", "").replace("V1", ""))
        inputs_of = said.attribute(dataset, "_inputs")
        inputs = inputs_of() if inputs_of else ()
        dataset = inputs[0] if inputs else None
    return names[::-1]


def is_first_element(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> bool:
    if args[0] in _iterators or not eager():
        return False
    _iterators.add(args[0])
    return True
