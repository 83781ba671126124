"""Keras models that were made at one line: whether they are alike, whether what they leave is cleared, and which were made in vain."""

from __future__ import annotations

from itertools import accumulate, pairwise, takewhile
from typing import NamedTuple

from firststep.analyse import phases
from firststep.analyse.afterwards import late_spans
from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.repeats import LOOP, repeats
from firststep.analyse.spans import Seen, outermost, spans
from firststep.model.facts_frameworks import Repeat
from firststep.model.findings import Cut

OF_KERAS = {"functional", "model", "sequential"}  # what it names the first model that has no name; the second is `sequential_1`
BUILDING = (phases.MODEL, phases.VARIABLES, phases.LIBRARIES)  # what making a model takes
SHARE, OF_OTHERS = (0.8, 1.0), (0.0, 1.0)  # of models alike; of others, which may have been made to be looked at
MOST_OF_OTHERS = 0.5  # of them at least: variables that no function reads may be those of none
OTHERWISE = ("weights-set", "weights-load", "checkpoint", "saver")  # uses of a model that no function shows
IN_FUNCTIONS = "__"  # how the names of functions that run begin; others run eagerly


class MadeInVain(NamedTuple):
    """models: all that were made at that line; number: of those that nothing used, at least; alike: whether all have the same variables."""

    models: Repeat
    number: int
    alike: bool
    cuts: tuple[Cut, ...]


def differ(given: Facts, loop: Repeat) -> bool:
    """Whether the models of a loop's rounds are known to have other variables, or to be told otherwise what to be."""
    return any(one.times == loop.times and max(len(set(one.weights)), len(set(one.settings))) > 1 for one in given(repeats))


def are_cleared(loop: Repeat) -> bool:
    """Whether Keras counts models anew in each round: what earlier ones left was cleared."""
    return bool(loop.names) and set(loop.names) <= OF_KERAS


def unused(given: Facts) -> MadeInVain | None:
    """Models that were made before ready, one after the other, when the run is over and its functions have read fewer variables."""
    legs = given(path)
    if not legs or not legs[-1].process.has_ended or _is_used_otherwise(given):
        return None
    models = [one for one in given(repeats) if one.kind == "model-build" and one.times >= LOOP and one.starts[-1] < legs[-1].end]
    known = [(one, each) for one in models if (each := _variables_of_each(given, one))]
    if not known:
        return None
    made, each = max(known, key=lambda one: sum(map(len, one[1])))
    traces = outermost(tuple(sorted((*spans(given, "trace"), *(one for one in given(late_spans) if one.span.kind == "trace")),
                                    key=lambda one: one.span.start)))
    read = sum(int(one.span.labels.get("captures", 0)) for one in traces)
    unread = list(takewhile((len(_variables(given)) - read).__ge__, accumulate(sorted(map(len, each), reverse=True))))
    if not read or not unread:
        return None
    alike = all(one == each[0] for one in each)
    if not alike and len(unread) < len(each) * MOST_OF_OTHERS:
        return None
    low, high = (share * len(unread) / len(each) for share in (SHARE if alike else OF_OTHERS))
    return MadeInVain(made, len(unread), alike, tuple(
        Cut(piece.start, piece.end, low, high) for piece in given(partition).pieces
        if piece.phase in BUILDING and made.starts[0] <= piece.start < made.starts[-1]))


def _variables_of_each(given: Facts, models: Repeat) -> list[list[object]]:
    """The shapes of the variables of each model but the last; empty where one has none, or something was traced between them."""
    if any(models.starts[0] < one.span.start < models.starts[-1] for one in spans(given, "trace")):
        return []
    variables = [(one.span.start, one.span.labels.get("shape")) for one in _variables(given)]
    made = [[shape for at, shape in variables if start < at < end] for start, end in pairwise(models.starts)]
    return made if all(made) else []


def _variables(given: Facts) -> tuple[Seen, ...]:
    return outermost(tuple(one for one in spans(given, "variable") if one.on_main_thread))


def _is_used_otherwise(given: Facts) -> bool:
    """Whether models may have been used where no function tells: eagerly, or for their weights."""
    return bool(spans(given, *OTHERWISE)) or not all(one.span.name.startswith(IN_FUNCTIONS) for one in spans(given, "first-execution"))
