"""Why a function was traced again, shorter than the agent says it: which argument, and what of it differs."""

from __future__ import annotations

import re
from typing import NamedTuple

DIFFERS = re.compile(r"(?:^|; )(?P<name>[^:;]+): (?P<what>Python value|shape|dtype) (?P<earlier>\S)")
NUMBER = re.compile(r"[-.\d]")
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
