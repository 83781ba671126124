"""Keras models, layers, optimizers."""

from weakref import ref
from zlib import crc32

from firststep_agent import kinds
from firststep_agent.observe.eagerness import eager, no_tape
from firststep_agent.observe.labels import UNTOLD, argument, said
from firststep_agent.observe.labels.places import user_line
from firststep_agent.observe.labels.sessions import resident
from firststep_agent.observe.labels.values import measured

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_PLAIN = kinds.numbers((bool, int, float, str, type(None)))
_NAMES = ("name", "path")  # of which no two layers share one
_VARIABLES = ("_trainable_variables", "_non_trainable_variables", "_trainable_weights", "_non_trainable_weights")
_INNER = ("_layers", "_self_tracked_trackables")  # Keras 3's and Keras 2's names for the layers of a layer
_ran: "dict[int, ref[Any]]" = {}  # id -> layer that has run
_seen: "dict[tuple[str, str | None], list[ref[Any]]]" = {}  # what happened to models, and the line at which -> which models


def own_name(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> str:
    """The instance's name, else its class's."""
    held = kinds.own(args[0])
    name = held.get("_name") or held.get("name")
    return name if isinstance(name, str) else kinds.name(type(args[0]))


def model_name(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> str:
    return kinds.name(type(args[0])) if kwargs.get("name") is None else said.text(kwargs["name"])


def model(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    layers = said.attribute(args[0], "layers") or ()
    weights = sum(measured(one.shape, one.dtype).get("bytes", 0) for one in _weights(args[0]))
    return {"name": own_name(args, kwargs), "layers": said.length(layers), "weights": weights, "resident": resident(),
            "settings": _settings(layers),
            **_line_and_earlier("made", args[0])}


def _weights(model: "Any") -> "Iterable[Any]":
    """The variables of a model and of all layers within, each once: as they hang on them, since a layer of the program's may make its own
    list when it is asked."""
    found: dict[int, Any] = {}
    todo, seen = [model], set()
    while todo:
        held = kinds.own(one := todo.pop())
        if id(one) not in seen:
            seen.add(id(one))
            found.update((id(each), each) for name in _VARIABLES for each in said.items(held.get(name)) or ())
            todo += [each for name in _INNER for each in said.items(held.get(name)) or ()]
    return found.values()


def _line_and_earlier(what: str, one: "Any") -> "dict[str, Any]":
    """{"line": "file:number", "gone": of the models that the same happened to at that line before, how many are no more}, and
    {"again": True} for one of those."""
    line = user_line()
    earlier = _seen.setdefault((what, line.get("line")), [])
    there = [model for each in earlier if (model := each()) is not None]
    known = any(model is one for model in there)
    gone = len(earlier) - len(there)
    if not known:
        earlier.append(ref(one))
    return {**line, "gone": gone, **({"again": True} if known else {})}


def _settings(of: "Iterable[Any]") -> int:
    """A number for what layers are told to be: their kinds, sizes, rates and activations. It tells two models apart that have the same
    variables. None of the program's code runs for it."""
    told = [(kinds.qualified(type(one)), [(name, _plain(value)) for name, value in sorted(kinds.own(one).items())
                                          if not name.startswith("_") and name not in _NAMES]) for one in of]
    return crc32(repr(told).encode("utf-8", "replace"))


def _plain(value: "Any") -> "Any":
    if id(type(value)) in _PLAIN:
        return value
    if type(value) is tuple:
        return [_plain(each) for each in value]
    return value.__qualname__ if type(value) is kinds.FUNCTION else None


def kind_of_call(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> "str | bool":
    """A layer called on symbols builds a model; called on values outside of any function, it runs. After its first run it is
    a call like any other."""
    if not eager():
        return False
    first = args[1] if len(args) > 1 else next(iter(kwargs.values()), None)
    while inner := said.items(first):
        first = inner[0]
    if kinds.name(type(first)) in ("KerasTensor", "SymbolicTensor"):
        return "model-build"
    return "first-execution" if _runs_first(args[0]) else UNTOLD


def _runs_first(layer: "Any") -> bool:
    known = _ran.get(id(layer))
    if known is not None and known() is layer:
        return False
    _ran[id(layer)] = ref(layer)
    return True


def not_built(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> bool:
    return not kinds.own(args[0]).get("built")


def compiled(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    held = kinds.own(args[0])
    steps = argument(args, kwargs, 7, "steps_per_execution")
    return {
        "steps_per_execution": steps if kinds.name(type(steps)) == "int" else None,
        "jit_compile": held.get("_jit_compile"),
        "run_eagerly": bool(held.get("_run_eagerly")),
        "optimizer": kinds.name(type(held.get("optimizer"))),
        "metrics": _has_metrics(held),
        "resident": resident(),
        "settings": _settings((args[0],)),
        **_line_and_earlier("compiled", args[0]),
    }


def _has_metrics(held: "dict[str, Any]") -> bool:
    """Whether a model was given metrics, and not only losses, of which Keras keeps some as well."""
    if "_compile_metrics" in held:
        return held["_compile_metrics"] is not None
    of_keras_2 = kinds.own(held.get("compiled_metrics"))
    given = [of_keras_2.get(name) for name in ("_user_metrics", "_user_weighted_metrics")]
    return any(one is not None and said.items(one) != [] for one in given)


def weights(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    given = said.items(argument(args, kwargs, 1, "weights")) or ()
    return {"arrays": len(given), "bytes": sum(said.attribute(one, "nbytes") or 0 for one in given), **user_line()}


def optimizer(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    return {"variables": len(said.items(argument(args, kwargs, 1, "var_list")) or ())}


def batches(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    held = kinds.own(args[0])
    size = kwargs.get("batch_size")
    steps = held.get("steps_per_execution") or held.get("_steps_per_execution")
    return {"batch_size": size if type(size) is int else None, "steps_per_execution": steps if isinstance(steps, int) else None,
            "tape": not no_tape()}
