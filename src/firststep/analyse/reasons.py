"""Why a function was traced again, shorter than the agent says it: which argument, and what of it differs."""

from __future__ import annotations

import re
from typing import NamedTuple

DIFFERS = re.compile(r"(?:^|; )(?P<name>[^:;]+): (?P<what>Python value|shape|dtype) (?P<earlier>\S)")
NUMBER = re.compile(r"[-.\d]")
MODE = re.compile(r"[^:;]+: Python value (True|False|None|'.*'|\".*\") -> (True|False|None|'.*'|\".*\")")
SHAPES = re.compile(r"[^:;]+: shape \((?P<earlier>[^()]*)\) -> \((?P<later>[^()]*)\)")
OPEN = "None"
WORDS = {"shape": "has another shape", "dtype": "has another dtype"}
PYTHONS = ("is a Python number", "is a Python value")


class Reason(NamedTuple):
    """`n` `is a Python number`."""

    argument: str
    words: str

    @property
    def is_pythons(self) -> bool:
        """Whether a value that is no tensor differs."""
        return self.words in PYTHONS


def reason(why: str) -> Reason | None:
    """None where it is not one argument's value, shape or dtype."""
    found = DIFFERS.search(why)
    if not found:
        return None
    return Reason(found["name"], WORDS.get(found["what"]) or PYTHONS[not NUMBER.match(found["earlier"])])


def is_mode(why: str) -> bool:
    """Whether all that differs are a Python function's ways of going: booleans, texts, None. Each is meant to have a graph of its own."""
    return all(MODE.fullmatch(part) for part in why.split("; "))


def is_relaxed(why: str) -> bool:
    """Whether all that differs are sizes that TensorFlow has left open, as `reduce_retracing` asks: this trace holds for all of them."""
    return all(_is_relaxed(part) for part in why.split("; "))


def _is_relaxed(part: str) -> bool:
    found = SHAPES.fullmatch(part)
    if not found:
        return False
    earlier, later = (found[name].rstrip(",").split(", ") for name in ("earlier", "later"))
    return len(earlier) == len(later) and all(two in (one, OPEN) for one, two in zip(earlier, later))


def family(why: str) -> str:
    """What is common to the reasons of a function that is traced for ever more values of one kind."""
    known = reason(why)
    return f"{known.argument} {known.words} {is_mode(why)}" if known else why
