"""Initial values that the program's own functions compute: no span knows those, but the samples within a variable's making do."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import NamedTuple

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import Seen, outermost, spans
from firststep.model import ownership
from firststep.model.facts import SourceLine
from firststep.model.ownership import Ownership
from firststep.model.trace import Frame

MAKERS = ("_init_from_args", "_initialize_with_initializer", "_deferred_initialize")
"""What makes a variable, in every framework's words: what of the program's is called from there computes its value."""
VALUE = "value"
"""Of a variable of Keras 3, which computes its first value for whoever asks while it has none: where only shapes are wanted."""
KERAS = ("keras", "tf_keras")

IsMaker = Callable[[Frame, Ownership], bool]


class OwnValue(NamedTuple):
    """A stretch in which such a function worked. variable: what was made, or what was being built."""

    start: int
    end: int
    function: str
    line: SourceLine
    variable: Seen


def own_initial_values(facts: Facts) -> tuple[OwnValue, ...]:
    """In order of time, without what a framework's own initialiser took that was called from there."""
    return _in(facts, spans(facts, "variable"), spans(facts, "initialiser"), _makes)


def own_placeholders(facts: Facts) -> tuple[OwnValue, ...]:
    """The same of values that fill nothing: they were asked for while layers were built on symbols, outside of any variable's making."""
    return _in(facts, spans(facts, "model-build", "trace"), spans(facts, "variable", "initialiser"), _asks)


def own_values(facts: Facts) -> tuple[OwnValue, ...]:
    """Both, in order of time."""
    return tuple(sorted((*facts(own_initial_values), *facts(own_placeholders)), key=attrgetter("start")))


def _in(facts: Facts, inside: tuple[Seen, ...], apart: tuple[Seen, ...], is_maker: IsMaker) -> tuple[OwnValue, ...]:
    owners = {id(leg.process): Ownership(leg.process.header) for leg in facts(path)}
    made = [one for one in outermost(inside) if one.on_main_thread]
    theirs = sorted((one.span.start, one.span.end) for one in outermost(apart) if one.on_main_thread)
    return tuple(stretch for one in made for whole in _of(one, owners[id(one.process)], is_maker) for stretch in _outside(whole, theirs))


def _of(made: Seen, owners: Ownership, is_maker: IsMaker) -> Iterator[OwnValue]:
    """From sample to sample: each tells of the time before it, the last one of what is left as well."""
    samples, at = made.process.samples, made.span.start
    first = bisect_right(samples, at, key=attrgetter("at"))
    last = bisect_right(samples, made.span.end, key=attrgetter("at"))
    for place, sample in enumerate(samples[first:last], first + 1):
        end = sample.at if place < last else made.span.end
        own = _called(sample.stack, owners, is_maker)
        if own:
            yield OwnValue(at, end, own[0].function, SourceLine(own[-1].file, own[-1].line), made)
        at = end


def _called(stack: tuple[Frame, ...], owners: Ownership, is_maker: IsMaker) -> list[Frame]:
    """The program's frames that the making of a variable called, outermost first."""
    makers = [place for place, frame in enumerate(stack) if is_maker(frame, owners)]
    return [frame for frame in stack[makers[-1] + 1:] if owners.of(frame.file).kind == ownership.USER] if makers else []


def _makes(frame: Frame, owners: Ownership) -> bool:
    return _name(frame) in MAKERS


def _asks(frame: Frame, owners: Ownership) -> bool:
    return _name(frame) == VALUE and owners.of(frame.file).package in KERAS


def _name(frame: Frame) -> str:
    return frame.function.rpartition(".")[2]


def _outside(whole: OwnValue, others: list[tuple[int, int]]) -> Iterator[OwnValue]:
    """What of a stretch none of the others covers."""
    at = whole.start
    for start, end in others[max(0, bisect_left(others, (at,)) - 1):]:
        if start >= whole.end:
            break
        if start > at:
            yield whole._replace(start=at, end=start)
        at = max(at, end)
    if at < whole.end:
        yield whole._replace(start=at)
