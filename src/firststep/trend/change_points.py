"""When a program's starts became faster or slower for good.

Binary segmentation (Vostrikova, 1981): the split of a stretch whose two sides differ most is a change if Yuen's interval of their
trimmed means, on logarithms, leaves out zero; then both sides are looked through in the same way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from firststep.prove.statistics import difference

LEAST = 5  # runs on either side of a change
ALPHA = 0.0003  # of a whole stretch: each of its possible splits is given its share; so little, for runs that follow each other are alike


@dataclass(frozen=True)
class Shift:
    """index: of the first run after it; ratio: times from there to the next change, of those since the last one."""

    index: int
    ratio: float


def changes(seconds: Sequence[float]) -> list[Shift]:
    """In order of time. seconds: of the runs, oldest first; all positive."""
    logs = [math.log(value) for value in seconds]
    splits = sorted(_splits(logs, 0))
    stretches = [logs[low:high] for low, high in zip([0, *splits], [*splits, len(logs)])]
    return [Shift(split, math.exp(difference(before, after, ALPHA).mid)) for split, before, after in zip(splits, stretches, stretches[1:])]


def _splits(logs: Sequence[float], offset: int) -> list[int]:
    split = _widest(logs)
    if split is None:
        return []
    apart = difference(logs[:split], logs[split:], ALPHA / len(logs))
    if not (apart.shows_more or apart.shows_less):
        return []
    return [offset + split, *_splits(logs[:split], offset), *_splits(logs[split:], offset + split)]


def _widest(logs: Sequence[float]) -> int | None:
    """Where the means of both sides, of ranks and so whatever the outliers, are farthest apart for their number."""
    count = len(logs)
    if count < 2 * LEAST:
        return None
    places = sorted(range(count), key=logs.__getitem__)
    ranks = [0] * count
    for rank, place in enumerate(places):
        ranks[place] = rank
    sums, mean = list(accumulate(ranks)), (count - 1) / 2
    return max(range(LEAST, count - LEAST + 1), key=lambda at: abs(sums[at - 1] - at * mean) / math.sqrt(at * (count - at)))
