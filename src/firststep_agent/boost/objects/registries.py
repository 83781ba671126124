"""The frameworks' registries: gradients, conversions to tensors, dispatch, custom objects. Whoever registers there changes graphs from
afar."""

import sys
import threading
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
    return {**found, **_custom_objects()}


def check(recorded: "dict[str, str]") -> "str | None":
    """None where every registry holds what it held, else which one does not."""
    now = tokens()
    for name, token in recorded.items():
        if now.get(name) != token:
            whose = "TensorFlow's" if name in _REGISTRIES else "Keras's"
            return f"{whose} registry of {name if name in _REGISTRIES else 'custom objects'} holds something else"
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


def _by_type() -> "list[tuple[str, Any]]":
    """The program's functions that `dispatch_for_api` was given. TensorFlow has hundreds of its own there; what goes through all
    elementwise functions stands in another registry."""
    registry = sys.modules["tensorflow.python.util.dispatch"]._TYPE_BASED_DISPATCH_SIGNATURES
    found = []
    for api, targets in list(registry.items()):
        for target, signatures in list(targets.items()):
            wrapped = kinds.own(target).get("__wrapped__", target)  # TensorFlow's, where it takes no name for the operation
            if signatures and type(wrapped) is types.FunctionType and ownership.is_user(wrapped):
                found.append((f"{held(api, '__qualname__')} {signatures!r}", wrapped))
    return found


def _types_of_values() -> "list[tuple[str, Any]]":
    registry = sys.modules["tensorflow.python.framework.type_spec"]._TYPE_CONVERSION_FUNCTION_REGISTRY
    return [(f"{kinds.qualname(cls)} {below}", function) for cls, function, below in list(registry)]


_REGISTRIES = {
    "gradients": _gradients,
    "conversions to tensors": _conversions,
    "dispatchers": _dispatchers,
    "elementwise handlers": _elementwise,
    "functions by type": _by_type,
    "types of values": _types_of_values,
}


def _custom_objects() -> "dict[str, str]":
    """{registry of Keras's: a token for what is in it, by names and code alone}. What of it runs in a trace is looked for by `reached`."""
    found = {}
    for package, attribute in _OF_KERAS:
        module = sys.modules.get(f"{package}.src.saving.object_registration")
        kept: Any = None if module is None else kinds.own(module).get(attribute)
        if kinds.is_a(kept, threading.local):
            kept = threading.local.__getattribute__(kept, "__dict__")
        if kinds.is_a(kept, dict):
            found[f"{package} {attribute}"] = _by_names(kept)
    state: Any = kinds.own(sys.modules.get("keras.src.backend.common.global_state")).get("GLOBAL_STATE_TRACKER")
    if kinds.is_a(state, threading.local):
        kept = threading.local.__getattribute__(state, "__dict__").get("custom_objects_scope_dict") or {}
        found["keras's scope"] = _by_names(kept)
    return found


_OF_KERAS = (("keras", "GLOBAL_CUSTOM_OBJECTS"), *((package, name) for package in ("keras", "tf_keras")
                                                 for name in ("_GLOBAL_CUSTOM_OBJECTS", "_THREAD_LOCAL_CUSTOM_OBJECTS")))


def _by_names(objects: "dict[Any, Any]") -> str:
    words = []
    for name, value in list(objects.items()):
        if kinds.is_a(value, type):
            words.append(f"{name} {kinds.qualified(value)}")
        else:
            code = value.__code__ if type(value) is types.FunctionType else None
            words.append(f"{name} {kinds.qualname(type(value)) if code is None else bytecode.mark(code)}")
    return f"{len(words)} {zlib.crc32(repr(words).encode('utf-8', 'replace')):x}"
