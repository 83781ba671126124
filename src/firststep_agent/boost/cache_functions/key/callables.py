"""Which Python callable a trace is of: the user's function, out of the wrappers that TensorFlow puts around it."""

import types

from firststep_agent import kinds, ownership
from firststep_agent.boost.objects.attributes import held

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def traced(python_function: "Any") -> "Any":
    """The function or bound method behind what TensorFlow traces, or what a `tf.function` is of."""
    while _is_wrapper(python_function):
        python_function = python_function.__wrapped__
    return _with_real_self(python_function)


def _is_wrapper(function: "Any") -> bool:
    module = held(function, "__module__")
    code = held(function, "__code__")
    if code is None or held(function, "__wrapped__") is None:
        return False
    return "/tensorflow/python/eager/polymorphic_function/" in code.co_filename or (
        module is not None and module.startswith("tensorflow.python.eager.polymorphic_function."))


def _with_real_self(function: "Any") -> "Any":
    """A method whose `self` TensorFlow replaced by a weak stand-in, bound to the object itself."""
    stand_in = held(function, "__self__")
    if kinds.name(type(stand_in)) == "TfMethodTarget" and stand_in.target is not None:
        plain = function.__func__
        return types.MethodType(plain, stand_in.target)
    return function


def code_of(function: "Any") -> "types.CodeType | None":
    """The code of a function or a method, or of the `__call__` of another callable; None where it is in C."""
    code = held(function, "__code__")
    if code is None:
        code = getattr(next((kinds.namespace(base)["__call__"] for base in kinds.mro(type(function))
                             if "__call__" in kinds.namespace(base)), None), "__code__", None)
    return code if type(code) is types.CodeType else None


def name_of(function: "Any") -> str:
    """`module.qualname` of a function, or of the class of another callable."""
    if ownership.is_user_class(type(function)):
        return kinds.qualified(type(function))
    return f"{getattr(function, '__module__', '')}.{getattr(function, '__qualname__', type(function).__qualname__)}"


def where(function: "Any") -> str:
    """`name (file:line)` of a callable, for messages."""
    code = code_of(function)
    name = held(function, "__qualname__") or kinds.name(type(function))
    return f"{name} ({code.co_filename}:{code.co_firstlineno})" if code is not None else name
