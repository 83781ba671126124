"""Initial values that nothing reads: a load, or what is set, overwrites them first."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import NamedTuple

from firststep.analyse.facts import Facts
from firststep.analyse.given_values import given_values
from firststep.analyse.initial_values import initial_values
from firststep.analyse.own_initial_values import OwnValue, own_initial_values
from firststep.analyse.spans import Seen, outermost, spans
from firststep.model.findings import Level
from firststep.model.ownership import LIBRARY, USER, Ownership
from firststep.model.trace import Frame

LOADS = ("model-load",)
FILES = ("weights-load", "checkpoint", "saver")
SETS = ("weights-set",)
GRADIENTS = "xs"  # a label of the spans that take them
KERAS = ("keras", "tf_keras", "tensorflow")
MODELS = re.compile(r".*/(?:tf_)?keras/(?:src/)?applications/")  # of Keras itself: functions that build a whole model
MOST = 0.5  # of what was initialised before: a `set_weights` of less overwrites one layer of many


class Overwritten(NamedTuple):
    """made: the initialisers; own: what functions and lines of the program's computed; by: what overwrites them; confidence: high where
    they ran inside of it."""

    made: tuple[Seen, ...]
    own: tuple[OwnValue, ...]
    by: tuple[Seen, ...]
    confidence: Level

    @property
    def how(self) -> str:
        return "set" if all(one.span.kind in SETS for one in self.by) else "loaded"

    @property
    def values(self) -> tuple[Seen, ...]:
        """Each value once."""
        return _each((*self.made, *(one.variable for one in self.own)))


def overwritten(given: Facts) -> Overwritten | None:
    made = tuple(one for one in given(initial_values) if one.on_main_thread)
    own = tuple(sorted((*given(own_initial_values), *given(given_values)), key=attrgetter("start")))
    loads = outermost(spans(given, *LOADS))
    sets = _sets(given)
    values = _each((*made, *(one.variable for one in own)))
    inside = tuple(one for one in values if any(load.span.start <= one.span.start < load.span.end for load in loads))
    gone = inside or _of_these(given, values, sets) or _before(given, values, sets)
    if not gone:
        return None
    variables = {id(one) for one in gone}
    theirs = tuple(one for one in own if id(one.variable) in variables)
    return Overwritten(_inside(made, gone), theirs, *((loads, "high") if inside else (sets, "medium")))


def _each(seen: Iterable[Seen]) -> tuple[Seen, ...]:
    """Once each and in order, without what a function of the program's asked a framework for."""
    return outermost(tuple(sorted({id(one): one for one in seen}.values(), key=lambda one: one.span.start)))


def _before(given: Facts, values: tuple[Seen, ...], sets: tuple[Seen, ...]) -> tuple[Seen, ...]:
    """All that were computed before, where what is set does not say of which variable."""
    before = tuple(one for one in values if sets and one.span.end <= sets[-1].span.start)
    return () if _say_which(given) or filled(sets) < filled(before) * MOST else before


def _of_these(given: Facts, values: tuple[Seen, ...], sets: tuple[Seen, ...]) -> tuple[Seen, ...]:
    """The initial values of the variables that were set later, one by one; a number stands for the last variable that had it."""
    last = {number: one.span.start for one in _inside(spans(given, *SETS), sets) if (number := _number(one)) is not None}
    owners = {number: one for one in spans(given, "variable")
              if (number := _number(one)) is not None and one.span.end <= last.get(number, 0)}
    return _inside(values, sorted(owners.values(), key=lambda one: one.span.start))


def _say_which(given: Facts) -> bool:
    """Whether each value that is set says of which variable; those of a file do not, nor do traces of older versions."""
    return any(_number(one) is not None for one in spans(given, *SETS)) and not spans(given, *FILES)


def _number(one: Seen) -> int | None:
    return one.span.labels.get("variable")


def _inside(seen: Iterable[Seen], outer: Sequence[Seen]) -> tuple[Seen, ...]:
    """Those that begin inside one of the others, which are in order."""
    starts = [one.span.start for one in outer]
    places = ((one, bisect_right(starts, one.span.start) - 1) for one in seen)
    return tuple(one for one, place in places if place >= 0 and one.span.start < outer[place].span.end)


def _sets(given: Facts) -> tuple[Seen, ...]:
    """What gives variables other values: a file's, or those that the program has before gradients are taken. Afterwards it sets what it
    has computed from the values that there were: an average of the weights, a target network."""
    gradients = (*spans(given, "gradients"), *(one for one in spans(given, "first-execution") if GRADIENTS in one.span.labels))
    trained = min((one.span.start for one in gradients), default=None)
    return tuple(one for one in outermost(spans(given, *FILES, *SETS))
                 if one.span.kind in FILES or trained is None or one.span.start < trained)


def filled(seen: Iterable[Seen]) -> int:
    """The bytes that these wrote."""
    return sum(int(one.span.labels.get("bytes") or 0) for one in seen)


def is_built_by_a_library(made: Iterable[Seen]) -> bool:
    """Whether most samples in which these values were computed were in a model that a library's code builds, layer by layer."""
    seen = [_is_a_librarys(sample.stack, Ownership(one.process.header)) for one in made for sample in one.process.samples
            if one.span.start <= sample.at < one.span.end]
    return sum(seen) > len(seen) / 2


def _is_a_librarys(stack: tuple[Frame, ...], owners: Ownership) -> bool:
    """Whether between the program's last frame and Keras' last one stands code of another library, or of Keras' own models."""
    kinds = [owners.of(frame.file) for frame in stack]
    last_own = max((place for place, owner in enumerate(kinds) if owner.kind == USER), default=-1)
    last_of_keras = max((place for place, owner in enumerate(kinds) if owner.package in KERAS), default=-1)
    between = range(last_own + 1, last_of_keras)
    return any(MODELS.match(stack[place].file) or kinds[place].kind == LIBRARY and kinds[place].package not in KERAS for place in between)
