"""Takes in the spans of another profiler: those that lie in the run, the longest of them, by thread or stream."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from heapq import nlargest
from typing import Any, NamedTuple

from firststep.model.profile import Track
from firststep.model.trace import Span
from firststep.model.words import count, duration
from firststep.profiles.limits import LATEST, NAME, SPANS, TRACKS


class _KeptSpan(NamedTuple):
    ns: int
    track: str
    span: Span


class Gather:
    """at: where the profile's zero lies on the trace's clock; start, end: the part of that clock which is wanted."""

    def __init__(self, at: int, start: int, end: int) -> None:
        self.start, self.end = start - at, end - at  # on the profile's clock
        self.first: int | None = None
        self.last: int | None = None
        self.odd = 0  # events that are none
        self._at = at
        self._kept: list[_KeptSpan] = []
        self._dropped = 0
        self._longest = 0

    def saw(self, first: int, last: int) -> None:
        """The profile covers these moments of its own clock."""
        self.first = first if self.first is None else min(self.first, first)
        self.last = last if self.last is None else max(self.last, last)

    def add(self, track: str, kind: str, name: str, start: int, end: int, labels: Mapping[str, Any] | None = None) -> None:
        """A span on the profile's own clock; outside what is wanted it only tells what the profile covers."""
        if not -LATEST < start <= end < LATEST:
            self.odd += 1
            return
        self.saw(start, end)
        if end <= self.start or start >= self.end:
            return
        left, right = max(start, self.start), min(end, self.end)
        span = Span(kind, name[:NAME], self._at + left, self._at + right, 0, labels or {})
        self._kept.append(_KeptSpan(right - left, track[:NAME], span))
        if len(self._kept) >= 2 * SPANS:
            self._prune()

    def drop(self, number: int, longest: int) -> None:
        """So many more were wanted and are not here, none longer than that."""
        self._dropped += number
        self._longest = max(self._longest, longest)

    def _prune(self) -> None:
        """Only the longest stay."""
        if len(self._kept) > SPANS:
            kept = nlargest(SPANS, self._kept, key=lambda one: one.ns)
            self.drop(len(self._kept) - SPANS, kept[-1].ns)
            self._kept = kept

    def tracks(self) -> tuple[tuple[Track, ...], tuple[str, ...]]:
        """(the tracks by name, those with the most spans of too many; what is left out, in words)"""
        self._prune()
        many = Counter(one.track for one in self._kept).most_common()
        wanted = {name for name, _ in many[:TRACKS]}
        found: dict[str, list[Span]] = defaultdict(list)
        for one in self._kept:
            if one.track in wanted:
                found[one.track].append(one.span)
        notes = []
        if self._dropped:
            notes.append(f"{count(self._dropped, 'span')} of {duration(self._longest)} or less left out")
        if len(many) > TRACKS:
            notes.append(f"{len(many) - TRACKS:,} of {len(many):,} threads and streams left out")
        if self.odd:
            notes.append(f"{count(self.odd, 'event')} without a time left out")
        return tuple(Track(name, tuple(sorted(found[name], key=_order))) for name in sorted(found, key=_natural)), tuple(notes)


def _order(span: Span) -> tuple[int, int]:
    return span.start, -span.end


def _natural(name: str) -> list[tuple[int, str]]:
    """`stream 7` comes before `stream 13`."""
    words = "".join(letter if letter.isdecimal() and letter.isascii() else f" {letter} " for letter in name).split()
    return [(int(word), "") if word.isdecimal() and len(word) < 20 else (-1, word) for word in words]
