"""What a listener at a place of the frameworks may say.

A listener is a generator function that is given the arguments of the call. What stands before its `yield` happens before the
framework's function, what stands after it afterwards:

    def listener(*args, **kwargs):
        if not of_interest(args):
            return                      # it takes no part in this call
        result = yield CALL             # the framework's function is called; `Call(args, kwargs)`: with other arguments
        look_at(result)                 # not reached where it raised: `finally` is

`yield Answer(value)` gives the caller a value without any call; `yield Instead(function)` gives it what `function(proceed)` returns,
where `proceed(*args, **kwargs)` is the plain way, any number of times. `Instead(function, guarded=True)`: what that function raises
is the program's, its own errors it has taken.

A listener that fails before its `yield` takes no part in the call, one that fails later has lost what it wanted to know: either way
it is noted, and the program gets what it would have got.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import Any

    Listener = Callable[..., Generator[Any, Any, Any]]


class _Call:
    """The framework's function is to be called as the program called it."""


CALL = _Call()


class Call(_Call):
    """It is to be called with these arguments."""

    __slots__ = ("args", "kwargs")

    def __init__(self, args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> None:
        self.args, self.kwargs = args, kwargs


class Answer:
    """The call's result, without it."""

    __slots__ = ("value",)

    def __init__(self, value: "Any") -> None:
        self.value = value


class Instead:
    """function(proceed) makes the call's result."""

    __slots__ = ("function", "guarded")

    def __init__(self, function: "Callable[..., Any]", guarded: bool = False) -> None:
        self.function, self.guarded = function, guarded
