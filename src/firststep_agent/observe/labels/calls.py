"""Functions executed by name: the first execution of each holds its optimisation, instantiation and compilation."""

from firststep_agent.observe.labels.said import text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_seen: "set[Any]" = set()


def is_first(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> bool:
    name = args[1]
    if name in _seen:
        return False
    _seen.add(name)
    return True


def function_name(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> str:
    return text(args[1])


def function(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    return {"inputs": len(args[2]), "outputs": args[3]}
