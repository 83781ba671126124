"""Which import, function or file most of a phase's time belongs to."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Container
from typing import TypeVar

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.segments import segments
from firststep.analyse.spans import Seen, outermost, spans
from firststep.model.facts import Leg
from firststep.model.trace import Span

Key = TypeVar("Key")


def shares(facts: Facts, phase: str, kind: str, *, outer: bool = False, but: Container[str] = ()) -> Counter[str]:
    """Nanoseconds of a phase by the name of the innermost (or outermost) span of a kind that was open.

    but: names of spans that are looked through.
    """
    found = tuple(seen for seen in spans(facts, kind) if seen.on_main_thread and seen.span.name not in but)
    return _shared(facts, phase, outermost(found) if outer else found, lambda span: span.name)


def shares_by(facts: Facts, phase: str, kind: str, key: Callable[[Span], Key]) -> Counter[Key]:
    """The same by what `key` says of the innermost span."""
    return _shared(facts, phase, tuple(seen for seen in spans(facts, kind) if seen.on_main_thread), key)


def _shared(facts: Facts, phase: str, found: tuple[Seen, ...], key: Callable[[Span], Key]) -> Counter[Key]:
    times: Counter[Key] = Counter()
    for leg in facts(path):
        _add(facts, leg, phase, tuple(seen for seen in found if seen.process is leg.process), key, times)
    return times


def _add(facts: Facts, leg: Leg, phase: str, found: tuple[Seen, ...], key: Callable[[Span], Key], times: Counter[Key]) -> None:
    cut = segments([seen.span for seen in found], leg.start, leg.end)
    starts = [segment.start for segment in cut]
    for piece in facts(partition).pieces:
        if piece.phase == phase and piece.process is leg.process:
            innermost = cut[bisect_right(starts, piece.start) - 1].innermost
            if innermost:
                times[key(innermost.span)] += piece.end - piece.start
