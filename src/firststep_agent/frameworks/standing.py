"""The function that stands in a framework's place: the only body of its kind, whoever listens there (listening.py).

No frame of ours stands in the tracebacks of a program's errors (from Python 3.11 on: before, a bare `raise` puts it back).
"""

from functools import update_wrapper

from firststep_agent import kinds
from firststep_agent.dressing import leave_no_frame
from firststep_agent.frameworks.listening import CALL, Answer, Call
from firststep_agent.imports import FILE
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import Any

    from firststep_agent.frameworks.door import Overridden, Place
    from firststep_agent.frameworks.listening import Instead


class Listening:
    """A listener that is at a place, or was. failed(error): notes an error of its own; `order`: the lower, the earlier it begins."""

    __slots__ = ("listener", "failed", "order", "by", "place")

    def __init__(self, listener: "Any", failed: "Any", order: int, by: str) -> None:
        self.listener, self.failed, self.order, self.by = listener, failed, order, by
        self.place: Place | Overridden | None = None

    def leave(self) -> None:
        """Takes it away, now."""
        if self.place is not None:
            self.place.remove(self)


class _Rest:
    """The listeners that come after one."""

    __slots__ = ("listeners",)

    def __init__(self, listeners: "tuple[Listening, ...]") -> None:
        self.listeners = listeners


def standing(place: "Place | _Rest", function: "Callable[..., Any]", below: "Callable[..., Any] | None" = None) -> "Callable[..., Any]":
    """A function that calls `function`, and lets `place.listeners`, outermost first, take part.

    below(args, function): what is to be called instead where `function` is only inherited.
    """

    def stands(*args, **kwargs):
        begun: list[tuple[Listening, Generator[Any, Any, Any]]] = None  # type: ignore[assignment]
        try:
            original = function if below is None else below(args, function)
            listeners = place.listeners
            if not listeners:
                return original(*args, **kwargs)
            begun, result = [], None
            for listening in listeners:
                try:
                    turn = listening.listener(*args, **kwargs)
                    given = next(turn, None)
                except BaseException as error:
                    if is_theirs(error):
                        raise
                    listening.failed(error)
                    continue
                if given is None:
                    continue
                begun.append((listening, turn))
                if given is CALL:
                    continue
                if type(given) is Call:
                    args, kwargs = given.args, given.kwargs
                elif type(given) is Answer:
                    result = given.value
                    break
                else:
                    rest = listeners[listeners.index(listening) + 1:]
                    result = _instead(given, listening, standing(_Rest(rest), original), args, kwargs)
                    break
            else:
                result = original(*args, **kwargs)
        except BaseException as error:
            leave_no_frame(error)
            if begun:
                _give_up(begun)
            raise
        for listening, turn in reversed(begun):
            try:
                turn.send(result)
            except StopIteration:
                pass
            except BaseException as error:
                if is_theirs(error):
                    raise
                listening.failed(error)
        return result

    stands.__code__ = stands.__code__.replace(co_filename=FILE)
    return stands


def inherited(owner: type, name: str) -> "Callable[..., Any]":
    """What a call of the method `name`, which `owner` only inherits, would come to at this moment: the next in the order of the
    object's own classes, and whatever the program has put there."""

    def below(args, function):
        is_above = False
        for one in kinds.mro(type(args[0])) if args else ():
            if is_above and name in kinds.namespace(one):
                found = kinds.namespace(one)[name]
                return found if kinds.is_a(found, kinds.TAKES_ITS_OBJECT) else as_found
            is_above = is_above or one is owner
        return function

    def as_found(*args, **kwargs):  # bound as Python binds it: a mock, for one, is not told of the object
        return getattr(super(owner, args[0]), name)(*args[1:], **kwargs)

    as_found.__code__ = as_found.__code__.replace(co_filename=FILE)
    return below


def _instead(given: "Instead", listening: "Listening", plain: "Callable[..., Any]", args: "tuple[Any, ...]",
             kwargs: "dict[str, Any]") -> "Any":
    """What an Instead makes of the call; the plain way where it fails before it has gone there."""
    if given.guarded:
        return given.function(plain)
    results: list[Any] = []
    errors: list[BaseException] = []

    def proceed(*args, **kwargs):
        try:
            result = plain(*args, **kwargs)
        except BaseException as error:
            errors.append(error)
            raise
        results.append(result)
        return result

    try:
        return given.function(proceed)
    except BaseException as error:
        if errors and error is errors[-1] or is_theirs(error):
            leave_no_frame(error)
            raise
        listening.failed(error)
    if results:
        return results[-1]
    return plain(*args, **kwargs)


def _give_up(begun: "list[tuple[Listening, Generator[Any, Any, Any]]]") -> None:
    """Ends the listeners of a call that raised."""
    for listening, turn in reversed(begun):
        try:
            turn.close()
        except BaseException as error:
            if is_theirs(error):
                raise
            listening.failed(error)


def stand_in(original: "Any", function: "Any") -> "Any":
    """`function`, dressed as `original`, which it calls: AutoGraph and Keras decide by names, module, signature and `__wrapped__`.

    The stack levels of `warnings` pass it over.
    """
    code = function.__code__.replace(co_filename=FILE)
    dressed = type(function)(code, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
    dressed.__kwdefaults__ = function.__kwdefaults__
    return update_wrapper(dressed, original)


def attribute(owner: "Any", name: str) -> "Any":
    """What `owner` itself or a base of it has under `name`, unbound; None where there is nothing."""
    for one in getattr(owner, "__mro__", (owner,)):
        if name in vars(one):
            return vars(one)[name]
    return None
