"""The names of a page, each of them once."""

from __future__ import annotations

from firststep.printable import one_line
from firststep.report.lengths import NAME, cut


class Strings:
    """`strings(text)` is the number of the text; 0 is the empty one."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {"": 0}

    def __call__(self, text: str, longest: int = NAME) -> int:
        return self._numbers.setdefault(cut(one_line(text), longest), len(self._numbers))

    def all(self) -> list[str]:
        """The texts by number."""
        return list(self._numbers)
