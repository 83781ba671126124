"""Calls after the first 300 of a kind after ready: of each line the last one alone is a span, and stands for all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from firststep.analyse.spans import Seen
from firststep.model.trace import Labels

LABEL = "further"  # [calls, their nanoseconds], the last one's among them
MOST = 100_000  # calls that are told one by one
GROWING = ("nodes", "resident", "variables")  # labels that are numbers of that moment


def calls(seen: Seen) -> int:
    """For how many calls a span stands."""
    return _further(seen)[0]


def more_ns(seen: Seen) -> int:
    """What the calls took that a span stands for, but for itself."""
    return _further(seen)[1] - (seen.span.end - seen.span.start)


def each(members: Iterable[Seen]) -> list[Seen]:
    """Spans of one line, in order, and in the place of one that stands for several as many: evenly between the one before and itself,
    each as long as they were on average. The first and the last are as they were, and so is what all of them took."""
    found: list[Seen] = []
    for one in members:
        number, ns = _further(one)
        if number == 1:
            found.append(one)
        else:
            found += _between(found[-1] if found else None, one, number, ns // number)
    return found


def _between(before: Seen | None, last: Seen, number: int, ns: int) -> list[Seen]:
    end = last.span.start
    start = before.span.start if before else end - number * ns
    labels = before.span.labels if before else last.span.labels
    found = []
    for place in range(1, number + 1):
        at = start + (end - start) * place // number
        span = replace(last.span, start=at, end=at + ns, labels=_at(labels, last.span.labels, place, number))
        found.append(Seen(last.process, span))
    return found


def _at(first: Labels, last: Labels, place: int, number: int) -> Labels:
    """The labels of the last, its numbers as far on the way to it as the place is."""
    def on_the_way(label: str) -> int:
        begun = int(first.get(label, last[label]))
        return begun + (int(last[label]) - begun) * place // number

    numbers = {label: on_the_way(label) for label in GROWING if label in last}
    return {**{key: value for key, value in last.items() if key != LABEL}, **numbers}


def _further(seen: Seen) -> tuple[int, int]:
    span = seen.span
    value = span.labels.get(LABEL)
    if not isinstance(value, list) or len(value) != 2 or not all(isinstance(one, int) for one in value) or value[0] < 1:
        return 1, span.end - span.start
    return min(value[0], MOST), value[1]
