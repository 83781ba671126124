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
ALPHA = 0.001  # of a whole stretch: each of its possible splits is given its share


@dataclass(frozen=True)
class Change:
    """index: of the first run after it; ratio: times after, of times before."""

    index: int
    ratio: float


def changes(seconds: Sequence[float]) -> list[Change]:
    """In order of time. seconds: of the runs, oldest first; all positive."""
    return sorted(_changes([math.log(value) for value in seconds], 0), key=lambda one: one.index)


def _changes(logs: Sequence[float], offset: int) -> list[Change]:
    split = _widest(logs)
    if split is None:
        return []
    apart = difference(logs[:split], logs[split:], ALPHA / len(logs))
    if not (apart.shows_more or apart.shows_less):
        return []
    return [Change(offset + split, math.exp(apart.mid)), *_changes(logs[:split], offset), *_changes(logs[split:], offset + split)]


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
