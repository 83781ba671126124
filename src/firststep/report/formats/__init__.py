"""What a report can be written as: ONE FILE = ONE FORMAT, found by name, its docstring its line in the documentation.

`text(starts)` is the document. `MOST` is how many starts one document can hold; `PROFILES`, where it shows what other profilers saw,
whether of the `start` or of the whole `run`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from inspect import cleandoc
from typing import NamedTuple

from firststep.model.profile import Profile
from firststep.model.trace import Trace


class ReportedStart(NamedTuple):
    """What is written. written: when the trace's file was, in nanoseconds since 1970; redacted: whether the trace is the shared one;
    profiles: what other profilers saw."""

    trace: Trace
    written: int
    redacted: bool = True
    profiles: tuple[Profile, ...] = ()


@dataclass(frozen=True)
class Format:
    """One format. title: what it is, without the full stop."""

    name: str
    title: str
    most: int
    profiles: str
    text: Callable[[Sequence[ReportedStart]], str]


def names() -> tuple[str, ...]:
    """Of all formats; nothing is imported for it."""
    return tuple(sorted(name for _, name, _ in pkgutil.iter_modules(__path__) if not name.startswith("_")))


@cache
def format_named(name: str) -> Format:
    """The format of that name, one of `names()`."""
    module = importlib.import_module(f"{__name__}.{name}")
    title = cleandoc(module.__doc__ or "").split("\n\n")[0].replace("\n", " ").rstrip(".")
    return Format(name, title, getattr(module, "MOST", 1), getattr(module, "PROFILES", ""), module.text)
