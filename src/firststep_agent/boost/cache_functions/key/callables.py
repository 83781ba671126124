"""Which Python callable a trace is of: the user's function, out of the wrappers that TensorFlow puts around it."""

import types


def traced(tracing_options):
    """The function or bound method behind `tracing_options.python_function`."""
    function = tracing_options.python_function
    while _is_wrapper(function):
        function = function.__wrapped__
    return _with_real_self(function)


def _is_wrapper(function):
    module = getattr(function, "__module__", None)
    code = getattr(function, "__code__", None)
    if code is None or not hasattr(function, "__wrapped__"):
        return False
    return "/tensorflow/python/eager/polymorphic_function/" in code.co_filename or (
        module is not None and module.startswith("tensorflow.python.eager.polymorphic_function."))


def _with_real_self(function):
    """A method whose `self` TensorFlow replaced by a weak stand-in, bound to the object itself."""
    stand_in = getattr(function, "__self__", None)
    if type(stand_in).__name__ == "TfMethodTarget" and stand_in.target is not None:
        plain = function.__func__
        return types.MethodType(plain, stand_in.target)
    return function


def where(function):
    """`name (file:line)` of a callable, for messages."""
    code = getattr(function, "__code__", None) or getattr(getattr(function, "__func__", None), "__code__", None)
    name = getattr(function, "__qualname__", None) or type(function).__name__
    return f"{name} ({code.co_filename}:{code.co_firstlineno})" if code is not None else name
