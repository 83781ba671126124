"""What is done in a loop, and what its rounds cost."""

from __future__ import annotations

from statistics import linear_regression, median

from firststep.analyse.afterwards import late_spans
from firststep.analyse.facts import Facts
from firststep.analyse.further import more_ns
from firststep.analyse.repeats import LOOP, MODELS, repeats
from firststep.analyse.spans import outermost, spans
from firststep.model.facts_frameworks import Repeat
from firststep.model.findings import Cut


def most_repeated(given: Facts, kind: str) -> Repeat | None:
    """What of a kind was done most often at one line, where that is a loop."""
    found = [one for one in given(repeats) if one.kind == kind and one.times >= LOOP]
    return max(found, key=lambda one: one.times, default=None)


def loops(given: Facts) -> tuple[Cut, ...]:
    """From the first round to the last of all that is made again and again at one line; several models may be the parts of one."""
    return tuple(Cut(one.starts[0], one.starts[-1]) for one in given(repeats) if one.times >= LOOP and one.kind != "model-build")


def later_rounds(repeat: Repeat) -> tuple[int, ...]:
    """Nanoseconds of every round but the first, each no longer than three times the usual one.

    The last round goes on to the program's end: it counts as the usual one.
    """
    usual = round(median(repeat.rounds_ns[:-1]))
    return tuple(min(ns, 3 * usual) for ns in (*repeat.rounds_ns[1:-1], usual))


def slope(values: tuple[int, ...]) -> float:
    """What each round adds."""
    return linear_regression(range(len(values)), values).slope if len(values) > 1 else 0.0


def again(given: Facts, loop: Repeat, kinds: tuple[str, ...], first_ns: float, most: float) -> tuple[float, float]:
    """What all rounds but the first do of these kinds, at least and at most: the spans of it; and as much as the first round, in proportion
    to its graph, for after ready not all of it is seen. Never more than a share of the rounds: steps take the rest, and stay. first_ns:
    of the first round, which is not known where it, too, came after ready."""
    inside = (*spans(given, *kinds), *(one for one in given(late_spans) if one.span.kind in kinds))
    later = (one for one in inside if loop.starts[1] <= one.span.start < loop.until)
    seen = outermost(tuple(sorted(later, key=lambda one: one.span.start)))
    low = sum(one.span.end - one.span.start + more_ns(one) for one in seen)
    rounds, ready = sum(later_rounds(loop)) * most, given.trace.ready
    all_is_late = ready is not None and loop.starts[0] >= ready.at
    return min(low, rounds), rounds if all_is_late else min(max(low, first_ns * _times_the_first(loop)), rounds)


def _times_the_first(loop: Repeat) -> float:
    if len(loop.nodes) != loop.times or loop.kind in MODELS:
        return loop.times - 1
    return sum(loop.nodes[1:]) / max(1, loop.nodes[0])


def is_after_ready(given: Facts, repeat: Repeat) -> bool:
    """Whether most of it came after the first step."""
    ready = given.trace.ready
    return ready is not None and sum(start > ready.at for start in repeat.starts) > repeat.times / 2


def of_rounds(repeat: Repeat, low_ns: float, high_ns: float) -> tuple[Cut, ...]:
    """Every round but the first as a stretch, and of each the share with which all of them gain so much."""
    rounds = later_rounds(repeat)
    low, high = sorted(min(1.0, max(0.0, ns) / max(1, sum(rounds))) for ns in (low_ns, high_ns))
    return tuple(Cut(start, start + ns, low, high) for start, ns in zip(repeat.starts[1:], rounds))
