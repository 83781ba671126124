"""What the frameworks keep for each thread, in a `threading.local` of a module: whether summaries are recorded and of which step, whether
tracebacks are filtered. No code names it but through that object, so that what is plain in it counts, function and class and number.

Objects in it have lives of their own. A tensor among them is a setting: `tf.summary.record_if` takes one, and a trace reads it.
"""

import threading

from firststep_agent.boost.objects import special
from firststep_agent.boost.objects.leaves import LEAVES
from firststep_agent.boost.objects.reading import Everything, Reading
from firststep_agent.boost.objects.walk import walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Token = Callable[[Any], "str | None"]

NOTHING = LEAVES[id(type(None))](None)  # the token of what is not there, or None
_IN_EVERY_KEY = ("GLOBAL_STATE_TRACKER",)  # key/configuration.py takes Keras's global state apart: what is there comes and goes


def is_one(name: str, value: "Any") -> bool:
    """Whether the value of a module's name holds something else for each thread, and is in no key."""
    return issubclass(type(value), threading.local) and name not in _IN_EVERY_KEY


def tokens(value: "Any", token: "Token") -> "dict[str, str | None]":
    """{attribute: what `told` says of it}, as this thread has them."""
    return {name: told(each, token) for name, each in list(_held(value).items())}


def told(value: "Any", token: "Token") -> "str | None":
    """A token for a value in it; None for what is no setting."""
    kind = type(value)
    if special.is_tensor(kind) and not special.is_symbolic(kind):
        return f"tensor {walk([('value', value)], Reading(values=Everything())).digest()}"
    return token(value)


def attribute(value: "Any", name: str) -> "Any":
    """One of its attributes; None where it is not there: some are set to that when they are first asked for."""
    return _held(value).get(name)


def _held(value: "Any") -> "dict[str, Any]":
    held: dict[str, Any] = threading.local.__getattribute__(value, "__dict__")
    return held
