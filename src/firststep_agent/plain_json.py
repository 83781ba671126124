"""JSON through the interpreter's own C parts, without importing the `json` package (5 ms of a start)."""

from _json import encode_basestring_ascii as quote
from _json import make_scanner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class _Settings:
    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    memo: "dict[str, str]" = {}

    @staticmethod
    def parse_constant(name: str) -> float:
        return {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}[name]


def loads(text: str) -> "Any":
    """The value of a JSON text. Raises ValueError where it is not one."""
    try:
        value, end = make_scanner(_Settings)(text, 0)  # type: ignore[arg-type]
    except StopIteration:
        raise ValueError("not JSON") from None
    if text[end:].strip():
        raise ValueError("text after JSON")
    return value


def dumps(value: object) -> str:
    """The JSON text of None, booleans, numbers, strings, and lists, tuples and dicts of these; of others their class's name."""
    if isinstance(value, str):
        return quote(value)
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return float.__repr__(value) if value - value == 0 else "null"
    if isinstance(value, dict):
        return "{" + ",".join([quote(str(key)) + ":" + dumps(item) for key, item in value.items()]) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join([dumps(item) for item in value]) + "]"
    return quote(type.__dict__["__name__"].__get__(type(value)))
