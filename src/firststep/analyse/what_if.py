"""The recorded start run again without some of its stretches: what overlapped before stays overlapped.

The critical path is walked from its beginning. A stretch that is taken out moves everything after it forward. A wait for
another thread of the process ends when that thread has done its work: it moves with the moment at which that work began,
and no further.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from heapq import heappop, heappush

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.system_calls import waits_for
from firststep.model.findings import Cut, Gain
from firststep.model.trace import Process

LEAST_WAIT_NS = 30_000_000  # two samples at their usual distance
CLOSE_NS = 40_000_000  # a wait ends within a sample's distance of the work it waits for

Anchor = tuple[int, int, int]
"""(when the main thread began to wait, when that ended, when the work it waited for began)"""


def saved(facts: Facts, cuts: Iterable[Cut]) -> Gain:
    """What the start would be shorter by without all of `cuts`, each instant counted once."""
    cuts = tuple(cuts)
    anchors = facts(_anchors)
    whole = facts(partition)
    if len({(cut.low, cut.high) for cut in cuts}) == 1:
        apart, (*_, low, high) = _apart(cuts, whole.start, whole.end), cuts[0]
        return Gain(_again([(begin, until, low) for begin, until in apart if low > 0], anchors),
                    _again([(begin, until, high) for begin, until in apart if high > 0], ()))
    return Gain(
        _again(_disjoint(((cut.start, cut.end, cut.low) for cut in cuts), whole.start, whole.end), anchors),
        _again(_disjoint(((cut.start, cut.end, cut.high) for cut in cuts), whole.start, whole.end), ()),
    )


def in_all(cuts: Iterable[Cut]) -> Gain:
    """What stretches take together where nothing is run again, as after ready: each instant counted once, by its largest share."""
    cuts = tuple(cuts)
    start, end = min((cut.start for cut in cuts), default=0), max((cut.end for cut in cuts), default=0)

    def total(shares: Iterable[tuple[int, int, float]]) -> int:
        return round(sum((until - begin) * share for begin, until, share in _disjoint(shares, start, end)))

    return Gain(total((cut.start, cut.end, cut.low) for cut in cuts), total((cut.start, cut.end, cut.high) for cut in cuts))


def _apart(cuts: Iterable[Cut], start: int, end: int) -> list[tuple[int, int]]:
    """The stretches of cuts of one share, without overlaps: those that touch are one."""
    found: list[tuple[int, int]] = []
    for begin, until, _, _ in sorted(cuts):
        begin, until = max(begin, start), min(until, end)
        if until <= begin:
            continue
        if found and begin <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], until))
        else:
            found.append((begin, until))
    return found


def _disjoint(cuts: Iterable[tuple[int, int, float]], start: int, end: int) -> list[tuple[int, int, float]]:
    """The same without overlaps: where several cover an instant, the largest share counts."""
    ordered = _joined(sorted((max(begin, start), min(until, end), share) for begin, until, share in cuts))
    edges = sorted({edge for begin, until, _ in ordered for edge in (begin, until)})
    found: list[tuple[int, int, float]] = []
    open_: list[tuple[float, int]] = []  # (-share, end): the largest share first
    index = 0
    for left, right in zip(edges, edges[1:]):
        while index < len(ordered) and ordered[index][0] <= left:
            begin, until, share = ordered[index]
            index += 1
            if until > begin and share > 0:
                heappush(open_, (-share, until))
        while open_ and open_[0][1] <= left:
            heappop(open_)
        if open_:
            found.append((left, right, -open_[0][0]))
    return found


def _joined(ordered: list[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
    """The same cuts, in order of their beginning, those of one share that touch made one: a phase is thousands of pieces in a row."""
    found: list[tuple[int, int, float]] = []
    for begin, until, share in ordered:
        if found and found[-1][2] == share and begin <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], until), share)
        else:
            found.append((begin, until, share))
    return found


def _again(cuts: list[tuple[int, int, float]], anchors: Iterable[Anchor]) -> int:
    """How much earlier the end comes."""
    starts = [cut[0] for cut in cuts]
    sums = [0.0]
    for begin, until, share in cuts:
        sums.append(sums[-1] + (until - begin) * share)

    def removed(at: int) -> float:
        index = bisect_right(starts, at)
        if not index:
            return 0.0
        begin, until, share = cuts[index - 1]
        return sums[index] - max(0, until - at) * share

    lost: list[tuple[int, float]] = []  # (from when on, how much of what was removed a wait has eaten)

    def shift(at: int) -> float:
        eaten = [amount for since, amount in lost if since <= at]
        return removed(at) - (eaten[-1] if eaten else 0.0)

    for wait, until, began in sorted(anchors):
        most = shift(began)
        if shift(until) > most:
            ends = max(wait - shift(wait), until - most)
            lost.append((until, removed(until) - (until - ends)))
    return max(0, round(shift(2**63)))


def _anchors(facts: Facts) -> tuple[Anchor, ...]:
    waits = waits_for(str(facts.trace.header.get("host", {}).get("machine", "")))
    return tuple(anchor for leg in facts(path) for anchor in _of_process(leg.process, set(_lock_calls(waits))))


def _lock_calls(waits: Mapping[int, str]) -> Iterator[int]:
    return (call for call, what in waits.items() if what == "lock_ns")


def _of_process(process: Process, lock_calls: set[int]) -> Iterator[Anchor]:
    """Waits for a lock that end when a span on another thread does."""
    others = sorted((span.end, span.start) for span in process.spans if span.thread != process.thread)
    if not others:
        return
    for wait, last, after in _waits(process, lock_calls):
        index = bisect_right(others, (after + CLOSE_NS, 0))
        if index and others[index - 1][0] >= last - CLOSE_NS:
            ended, began = others[index - 1]
            yield wait, max(last, min(ended, after)), began


def _waits(process: Process, lock_calls: set[int]) -> Iterator[tuple[int, int, int]]:
    """(the last sample before it, its last sample, the first one after it) of each wait that is long enough."""
    begun: int | None = None
    before = 0
    for sample in process.samples:
        if sample.call in lock_calls:
            begun = before if begun is None else begun
        elif begun is not None:
            if before - begun > LEAST_WAIT_NS:
                yield begun, before, sample.at
            begun = None
        before = sample.at
