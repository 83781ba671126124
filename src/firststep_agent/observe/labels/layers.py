"""Keras models, layers, optimizers."""

from weakref import ref
from zlib import crc32

from firststep_agent import kinds
from firststep_agent.observe.eagerness import eager, no_tape
from firststep_agent.observe.labels import argument
from firststep_agent.observe.labels.places import user_line
from firststep_agent.observe.labels.sessions import resident
from firststep_agent.observe.labels.values import measured

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_NAMES = ("name", "path")  # of which no two layers share one
_seen: "dict[tuple[str, str | None], list[ref[Any]]]" = {}  # what happened to models, and the line at which -> which models


def own_name(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> str:
    """The instance's name, else its class's."""
    held = kinds.own(args[0])
    name = held.get("_name") or held.get("name")
    return name if isinstance(name, str) else kinds.name(type(args[0]))


def model_name(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> str:
    return str(kwargs.get("name") or kinds.name(type(args[0])))


def model(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    weights = sum(measured(one.shape, one.dtype).get("bytes", 0) for one in args[0].weights)
    return {"name": args[0].name, "layers": len(args[0].layers), "weights": weights, "resident": resident(),
            "settings": _settings(args[0].layers),
            **_line_and_earlier("made", args[0])}


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
    if type(value) in (bool, int, float, str, type(None)):
        return value
    if type(value) is tuple:
        return [_plain(each) for each in value]
    return value.__qualname__ if type(value) is kinds.FUNCTION else None


def kind_of_call(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> "str | bool":
    """A layer called on symbols builds a model; called on values outside of any function, it runs."""
    if not eager():
        return False
    first = args[1] if len(args) > 1 else next(iter(kwargs.values()), None)
    while isinstance(first, (list, tuple, dict)) and first:
        first = next(iter(first.values() if isinstance(first, dict) else first))
    if type(first).__name__ in ("KerasTensor", "SymbolicTensor"):
        return "model-build"
    return "first-execution"


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
        "resident": resident(),
        "settings": _settings((args[0],)),
        **_line_and_earlier("compiled", args[0]),
    }


def weights(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    given = argument(args, kwargs, 1, "weights") or ()
    return {"arrays": len(given), "bytes": sum(getattr(one, "nbytes", 0) for one in given), **user_line()}


def optimizer(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    return {"variables": len(argument(args, kwargs, 1, "var_list") or ())}


def batches(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    held = kinds.own(args[0])
    size = kwargs.get("batch_size")
    steps = held.get("steps_per_execution") or held.get("_steps_per_execution")
    return {"batch_size": size, "steps_per_execution": steps if isinstance(steps, int) else None,
            "tape": not no_tape()}
