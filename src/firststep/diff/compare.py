"""From two sets of starts to what changed, largest first, and what of it is more than noise."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from firststep.diff.lines import lines_of
from firststep.diff.start import ComparedStart, Items
from firststep.prove.statistics import ALPHA, MIN_PAIRS, difference

State = Literal["changed", "new", "vanished"]
LINES = "lines of your program"
MATTERS_NS = 1_000_000  # what changed by less, or by less than the share of the longer start, is in the totals alone
MATTERS = 0.001
EITHER = "findings", "modules", "libraries", "weight files", "functions", "traces"  # what is new in them is told whatever it costs


@dataclass(frozen=True)
class ItemChange:
    """One item. before, after: medians, in nanoseconds (a count's in its unit), 0 where the side has none of it.

    noise: half the width of the interval of the change; None where the traces are too few to know it. certain: whether the change
    is more than noise, None where that is not known. state: new, where no trace of the side before has it; vanished the other way.
    """

    name: str
    before: float
    after: float
    noise: float | None
    certain: bool | None
    state: State

    @property
    def by(self) -> float:
        return self.after - self.before


@dataclass(frozen=True)
class Topic:
    """The changes of one kind that matter, largest first, those that are known to be more than noise before the others."""

    name: str
    changes: tuple[ItemChange, ...]


@dataclass(frozen=True)
class Diff:
    """What changed. traces: how many each side has; in_the_way: why the sides ought not be compared, empty where nothing is."""

    program: str
    traces: tuple[int, int]
    total: ItemChange
    topics: tuple[Topic, ...]
    counts: Topic
    in_the_way: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def noise_known(self) -> bool:
        return self.total.noise is not None


def compare(before: Sequence[ComparedStart], after: Sequence[ComparedStart], in_the_way: Sequence[str], notes: Sequence[str]) -> Diff:
    """Every topic of both sides, each of at least one start."""
    walls = [float(start.wall_ns) for start in before], [float(start.wall_ns) for start in after]
    least = max(MATTERS_NS, MATTERS * max(map(statistics.median, walls)))
    lines = lines_of([*before, *after])
    topics = [Topic(LINES, _changes(lines[: len(before)], lines[len(before) :], least, False))]
    for name in before[0].topics:
        left, right = ([start.topics[name] for start in side] for side in (before, after))
        topics.append(Topic(name, _changes(left, right, least, name in EITHER)))
    phases = topics.pop(1)
    return Diff(
        program=after[0].identity.program, traces=(len(before), len(after)), total=_change("total", *walls, ALPHA),
        topics=tuple(topic for topic in (phases, *topics) if topic.changes),
        counts=Topic("counts", _counted(before, after)), in_the_way=tuple(in_the_way), notes=tuple(notes),
    )


def _changes(before: Sequence[Items], after: Sequence[Items], least: float, either: bool) -> tuple[ItemChange, ...]:
    """either: what only one side has is told however little it costs."""
    names = dict.fromkeys(name for items in (*before, *after) for name in items)
    sets = {name: ([float(items.get(name, 0)) for items in before], [float(items.get(name, 0)) for items in after]) for name in names}
    present = {name: (any(name in items for items in before), any(name in items for items in after)) for name in names}
    mattering = {name: both for name, both in sets.items()
                 if abs(statistics.median(both[1]) - statistics.median(both[0])) >= least or (either and not all(present[name]))}
    alpha = ALPHA / max(1, len(mattering))  # Bonferroni: one false alarm in all of a topic is as rare as in one comparison
    found = [_change(name, *both, alpha, _state(present[name])) for name, both in mattering.items()]
    return tuple(sorted(found, key=lambda one: (one.certain is False, -abs(one.by), one.name)))


def _change(name: str, before: Sequence[float], after: Sequence[float], alpha: float, state: State = "changed") -> ItemChange:
    apart = difference(before, after, alpha)
    both = min(len(before), len(after)) >= MIN_PAIRS
    known = math.isfinite(apart.half_width) and (both or state == "changed")  # what a side never had does not say how it scatters
    return ItemChange(name, statistics.median(before), statistics.median(after), apart.half_width if known else None,
                  (apart.shows_more or apart.shows_less) if known else None, state)


def _state(present: tuple[bool, bool]) -> State:
    return "changed" if all(present) else "vanished" if present[0] else "new"


def _counted(before: Sequence[ComparedStart], after: Sequence[ComparedStart]) -> tuple[ItemChange, ...]:
    """Counts that differ; they have no noise where every trace of a side has the same."""
    found = []
    for name in _common(before, after):
        left, right = [start.counts[name] for start in before], [start.counts[name] for start in after]
        if set(left) != set(right):
            apart = max(left) < min(right) or max(right) < min(left)
            found.append(ItemChange(name, statistics.median(left), statistics.median(right), None, apart, "changed"))
    return tuple(found)


def _common(before: Sequence[ComparedStart], after: Sequence[ComparedStart]) -> list[str]:
    every: list[Mapping[str, int]] = [start.counts for start in (*before, *after)]
    return [name for name in every[0] if all(name in counts for counts in every)]
