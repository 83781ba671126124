"""What a concrete function carries of ours among its own attributes, where Python looks before it looks at the class. A copy of it carries
nothing: what it would call is the original's."""

import weakref

from firststep_agent.boost.objects.parts.traced import OURS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_STATE = 2  # where it stands in what `__reduce_ex__` gives


def call(function: "Any", how: "Callable[..., Any]") -> None:
    """Its calls, `how(tensor_inputs, captured_inputs)`."""
    function.__dict__["_call_flat"] = how
    if "__reduce_ex__" not in function.__dict__:
        copied(function, _nothing)


def copied(function: "Any", begun: "Callable[[], object]") -> None:
    """begun() is called before it is copied or pickled for the first time."""
    reference: weakref.ref[Any] = weakref.ref(function)
    plain: Callable[..., Any] = type(function).__reduce_ex__
    waiting = [begun]

    def __reduce_ex__(protocol):
        function = reference()
        while waiting:
            waiting.pop()()
        return _without_ours(plain(function, protocol))

    function.__dict__["__reduce_ex__"] = __reduce_ex__


def _without_ours(reduced: "Any") -> "Any":
    if type(reduced) is not tuple or len(reduced) <= _STATE or type(reduced[_STATE]) is not dict:
        return reduced
    state = {name: value for name, value in reduced[_STATE].items() if name not in OURS}
    return (*reduced[:_STATE], state, *reduced[_STATE + 1:])


def _nothing() -> None:
    """Nobody is to be told."""
