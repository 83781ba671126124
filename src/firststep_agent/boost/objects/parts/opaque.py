"""What is not taken apart: it is told by one word, or cannot be compared with another run's."""

import sys

from firststep_agent import kinds, ownership
from firststep_agent.boost.objects.special import NO_FILTER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from firststep_agent.boost.objects.reading import Reading
    from firststep_agent.boost.objects.special import Parts


def of_standard_stream(value: "Any", reading: "Reading") -> "Parts":
    """What is written to one of the two goes where this process's goes; of any other stream that cannot be told, and what stands in the
    standard input is read once."""
    for name in ("stdout", "stderr"):
        if value is getattr(sys, f"__{name}__"):
            return f"stream {name}", (), NO_FILTER
    return opaque(value, reading)


def of_library(value: "Any", reading: "Reading") -> "Parts":
    """A library in C by its name: where it was loaded is another place in each process."""
    held = [("." + name, child) for name, child in kinds.own(value).items() if name not in ("_handle", "_FuncPtr")]
    return f"library {kinds.qualified(type(value))}", held, NO_FILTER


def of_lock(value: "Any", reading: "Reading") -> "Parts":
    """By whether it is held, and how often: its address, and the number of the thread that holds it, are others in each process."""
    shown = repr(value)
    count = shown.partition(" count=")[2].partition(" ")[0]  # of one that its thread may take again
    return " ".join(filter(None, ("free" if shown.startswith("<unlocked") else "held", "lock", count))), (), NO_FILTER


def opaque(value: "Any", reading: "Reading") -> "Parts":
    cls = type(value)
    if (not ownership.is_user_class(cls) and callable(value) and hasattr(value, "__qualname__")
            and ownership.module_owner(getattr(value, "__module__", None)) != ownership.USER):
        return f"c {value.__module__}.{value.__qualname__}", (), NO_FILTER
    return f"!{_article(cls)}", (), NO_FILTER


def are_text(names: "list[Any]") -> bool:
    """Whether all these names of attributes are texts: by way of `vars` anything can be put there."""
    return _TEXTS.issuperset(map(id, map(type, names))) or all(kinds.is_a(name, str) for name in names)


_TEXTS = kinds.numbers((str,))


def without_text(whose: str) -> "Parts":
    """Of what has attributes that no code can name."""
    return f"!an attribute of {whose} whose name is no text", (), NO_FILTER


def _article(cls: type) -> str:
    name = kinds.qualname(cls) if kinds.module(cls) in ("builtins", "__main__") else kinds.qualified(cls)
    return f"a `{name.replace('_thread.lock', 'threading.Lock').replace('_thread.RLock', 'threading.RLock')}`"


def of_ours(value: "Any", reading: "Reading") -> "Parts":
    """What holds what firststep does, which is none of the program's, and another thing in each start."""
    return f"{kinds.qualname(type(value))} of ours", (), NO_FILTER
