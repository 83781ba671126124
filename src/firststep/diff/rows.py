"""A comparison in words: the sentences and the cells that a terminal and a page share. Names are anybody's, and not yet fit to print."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from firststep.diff.compare import Diff, ItemChange, Topic
from firststep.model.words import count, duration
from firststep.prove.statistics import MIN_PAIRS

MOST = 5  # rows of a topic, unless all are asked for
STATES = {"changed": "", "new": "new", "vanished": "gone"}
COUNTS = "counts"


@dataclass(frozen=True)
class Row:
    """The cells of one change. within: it is known to be no more than noise."""

    name: str
    before: str
    after: str
    by: str
    noise: str
    within: bool


def headline(diff: Diff) -> str:
    """`5.1 s before, 6.0 s after: 0.9 s slower (+18%), more than the noise of ±0.2 s`"""
    total = diff.total
    words = f"{duration(round(total.before))} before, {duration(round(total.after))} after: "
    if total.certain is False:
        return words + f"no difference shown, the noise is ±{duration(round(total.noise or 0))}"
    if not total.by:
        return words + "the same"
    words += f"{duration(round(abs(total.by)))} {'slower' if total.by > 0 else 'faster'}{_share(total)}"
    return words if total.noise is None else words + f", more than the noise of ±{duration(round(total.noise))}"


def remarks(diff: Diff) -> Iterator[str]:
    """What to know before the tables are believed."""
    for reason in diff.in_the_way:
        yield f"not one thing measured twice: {reason}"
    yield from diff.notes
    if not diff.noise_known:
        before, after = diff.traces
        yield (f"{count(before, 'trace')} before, {after} after: the noise is not known, and any of this may be noise; "
               f"{MIN_PAIRS} or more of a side tell")


def topics(diff: Diff) -> Iterator[Topic]:
    """What changed, topic by topic; the counts last."""
    yield from diff.topics
    if diff.counts.changes:
        yield diff.counts


def rows(topic: Topic, everything: bool) -> tuple[list[Row], int]:
    """The rows to show, and how many more there are."""
    shown = topic.changes if everything else topic.changes[:MOST]
    return [_row(one, topic.name == COUNTS) for one in shown], len(topic.changes) - len(shown)


def _row(one: ItemChange, counted: bool) -> Row:
    before, after, by = ((f"{value:,.0f}" for value in (one.before, one.after, abs(one.by))) if counted else
                         (duration(round(value)) for value in (one.before, one.after, abs(one.by))))
    sign = "+" if one.by > 0 else "-" if one.by < 0 else ""
    state = STATES[one.state]
    return Row(one.name, before if one.state != "new" else "", after if one.state != "vanished" else "",
               f"{sign}{by}" + (f" {state}" if state else ""), "" if one.noise is None else f"±{duration(round(one.noise))}",
               one.certain is False)


def _share(total: ItemChange) -> str:
    return f" ({total.by / total.before:+.0%})" if total.before else ""
