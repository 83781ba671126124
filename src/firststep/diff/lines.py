"""Lines of the user's source, matched by their text: an edit above a line moves it, and leaves it the same line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from firststep.diff.start import ComparedStart, Items, Line, summed


@dataclass
class _Known:
    """One line of all starts: its text, and where it stands in the newest of them."""

    text: str
    number: int


@dataclass
class _File:
    """The lines of one file that any start has shown, in their order."""

    known: list[_Known] = field(default_factory=list)

    def places(self, lines: Sequence[Line]) -> list[_Known]:
        """The known line that each of these is; those that are none of them become known."""
        mine: list[_Known | None] = [None] * len(lines)
        matcher = SequenceMatcher(None, [_token(one) for one in self.known], [_token(line) for line in lines], autojunk=False)
        merged: list[_Known] = []
        for what, low, high, first, last in matcher.get_opcodes():
            old = self.known[low:high]
            if what == "equal":
                mine[first:last] = old
            else:
                old = self._by_number(old, lines, range(first, last), mine)
            merged += old
        self.known = merged
        for one, line in zip(mine, lines, strict=True):
            assert one is not None
            one.number = line.number
        return [one for one in mine if one is not None]

    @staticmethod
    def _by_number(old: Sequence[_Known], lines: Sequence[Line], places: Iterable[int], mine: list[_Known | None]) -> list[_Known]:
        """What no text matches: the same number is the same line where one of the two has no text; the others are new."""
        both = list(old)
        for place in places:
            line = lines[place]
            same = next((one for one in old if one.number == line.number and not (one.text and line.text) and one not in mine), None)
            if same is None:
                same = _Known(line.text, line.number)
                both.append(same)
            mine[place] = same
        return sorted(both, key=lambda one: one.number)


def lines_of(starts: Sequence[ComparedStart]) -> list[Items]:
    """For each start, nanoseconds by the name of a line: `train.py:12 model.fit(...)`, the number of the last start that has it."""
    files: dict[str, _File] = defaultdict(_File)
    placed: list[list[tuple[str, _Known, int]]] = []
    for start in starts:
        by_file: dict[str, list[Line]] = defaultdict(list)
        for line in start.lines:
            by_file[line.file].append(line)
        placed.append([(file, one, line.ns) for file, lines in by_file.items()
                       for one, line in zip(files[file].places(lines), lines, strict=True)])
    return [summed((f"{file}:{one.number} {one.text}".rstrip(), ns) for file, one, ns in mine) for mine in placed]


def _token(line: _Known | Line) -> str:
    """What must be equal; a line without its text is known by its number alone."""
    return line.text or f":{line.number}"
