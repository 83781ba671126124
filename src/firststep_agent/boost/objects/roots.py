"""Where the walk begins: the traced callable and the Python objects among its arguments."""

import types
import weakref

from firststep_agent.boost.objects.attributes import held

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


class Called:
    """A callable with the Python objects among the arguments of one trace: what is read below them counts as well."""

    __slots__ = ("arguments", "function")

    def __init__(self, function: "Any", arguments: "Sequence[Any]") -> None:
        self.function = function
        self.arguments = arguments


def roots(python_function: "Any") -> "list[tuple[str, Any]]":
    """[(name, value)] for `walk`, of a callable or a Called. TensorFlow's own wrapper around the user's function is taken off."""
    found = [("function", entry(python_function))]
    if type(python_function) is Called:
        found.append(("arguments", python_function.arguments))
    return found


def weakly(python_function: "Any") -> "Callable[[], Any]":
    """A function that gives it again, and None once it has gone. It keeps neither it alive nor any of its arguments, which are None once
    they have gone."""
    plain = weak(bare(python_function))
    if type(python_function) is not Called:
        return plain
    arguments = [weak(each) for each in python_function.arguments]
    return lambda: Called(plain(), [reference() for reference in arguments])


def weak(value: "Any") -> "Callable[[], Any]":
    """A weak reference; to what nothing can refer to weakly, one that leads to nothing."""
    try:
        return weakref.WeakMethod(value) if type(value) is types.MethodType else weakref.ref(value)
    except TypeError:
        return lambda: None


def bare(python_function: "Any") -> "Any":
    """The callable itself."""
    return python_function.function if type(python_function) is Called else python_function


def entry(python_function: "Any") -> "Any":
    """The function below the wrapper that TensorFlow makes anew for every `tf.function`."""
    python_function = bare(python_function)
    if type(python_function) is types.FunctionType and python_function.__code__.co_name == "wrapped_fn":
        return getattr(python_function, "__wrapped__", python_function)
    return python_function


def undecorated(python_function: "Any") -> "Any":
    """The function below all decorators that leave `__wrapped__`; not below bound methods and partial application."""
    found, seen = bare(python_function), set()
    while id(found) not in seen:
        seen.add(id(found))
        inner = held(found, "__wrapped__")
        found = found if inner is None else inner
    return found


def compiled_by_xla(python_function: "Any") -> "Any":
    """Whether TensorFlow's wrapper compiles with XLA: True, False or None (not said)."""
    function = bare(python_function)
    if type(function) is types.FunctionType and function.__code__.co_name == "wrapped_fn" and function.__closure__:
        cells = dict(zip(function.__code__.co_freevars, function.__closure__))
        if "compile_with_xla" in cells:
            return cells["compile_with_xla"].cell_contents
    return None


def innermost(python_function: "Any") -> "Any":
    """The Python function that the user (or Keras) wrote, below decorators, bound methods and partial application."""
    seen = set()
    found = entry(python_function)
    while id(found) not in seen:
        seen.add(id(found))
        for name in ("__wrapped__", "__func__", "func", "weakrefself_func__"):
            inner = held(found, name)
            if inner is not None and callable(inner):
                found = inner() if name.startswith("weakref") else inner
                break
    return found
