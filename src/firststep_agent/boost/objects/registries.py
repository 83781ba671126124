"""TensorFlow's registries: gradients, conversions to tensors, dispatch. Whoever registers there changes graphs from afar."""

import sys
import types
import zlib

from firststep_agent import kinds, ownership
from firststep_agent.boost.objects import bytecode
from firststep_agent.boost.objects.attributes import held
from firststep_agent.boost.objects.reading import Reading
from firststep_agent.boost.objects.walk import walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def tokens() -> "dict[str, str]":
    """{registry: token}."""
    found = {}
    for name, read in _REGISTRIES.items():
        try:
            found[name] = _token(read())
        except (KeyError, AttributeError):
            found[name] = "absent"
    return found


def check(recorded: "dict[str, str]") -> "str | None":
    """None where every registry holds what it held, else which one does not."""
    now = tokens()
    for name, token in recorded.items():
        if now.get(name) != token:
            return f"TensorFlow's registry of {name} holds something else"
    return None


def user_functions() -> "list[Any]":
    """The user's functions that stand in a registry."""
    found = []
    for read in _REGISTRIES.values():
        try:
            functions = read()
        except (KeyError, AttributeError):
            continue
        for _, function in functions:
            code = held(function, "__code__")
            if type(code) is types.CodeType and ownership.owner(code.co_filename) == ownership.USER:
                found.append(function)
    return found


def _token(functions: "Iterable[tuple[str, Any]]") -> str:
    words = []
    for name, function in functions:
        function = function if held(function, "__func__") is None else function.__func__
        code = held(function, "__code__")
        if type(code) is types.CodeType:
            words.append(f"{name} {bytecode.mark(code)}")
            if ownership.owner(code.co_filename) == ownership.USER:
                words.append(walk([("registered", function)], Reading()).digest())
        else:
            words.append(f"{name} {kinds.qualname(type(function))}")
    return f"{len(words)} {zlib.crc32(repr(words).encode()):x}"


def _gradients() -> "list[tuple[str, Any]]":
    registry = sys.modules["tensorflow.python.framework.ops"]._gradient_registry._registry
    # Every use of a custom gradient registers one more under a running number.
    return [(n, e["type"]) for n, e in registry.items() if not n.startswith(("CustomGradient-", "PyFunc"))]


def _conversions() -> "list[tuple[str, Any]]":
    registry = sys.modules["tensorflow.python.framework.tensor_conversion_registry"]._tensor_conversion_func_registry
    return [(f"{p} {[t.__qualname__ for t in (e[0] if type(e[0]) is tuple else (e[0],))]}", e[1])
            for p, entries in sorted(registry.items()) for e in entries]


def _dispatchers() -> "list[tuple[str, Any]]":
    return [(type(d).__qualname__, type(d).handle) for d in sys.modules["tensorflow.python.util.dispatch"]._GLOBAL_DISPATCHERS]


def _elementwise() -> "list[tuple[str, Any]]":
    return [(str(k), v) for k, v in sys.modules["tensorflow.python.util.dispatch"]._ELEMENTWISE_API_HANDLERS.items()]


_REGISTRIES = {
    "gradients": _gradients,
    "conversions to tensors": _conversions,
    "dispatchers": _dispatchers,
    "elementwise handlers": _elementwise,
}
