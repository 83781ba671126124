"""Initial values that a line computes before it makes a variable of them: `tf.Variable(tf.random.normal(shape))`."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from operator import attrgetter

from firststep.analyse.facts import Facts
from firststep.analyse.initial_values import initial_values
from firststep.analyse.own_initial_values import OwnValue, own_initial_values
from firststep.analyse.path import path
from firststep.analyse.spans import Seen, outermost, spans
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.model.facts import SourceLine
from firststep.model.trace import Frame, Sample

WRAPPERS = ("/tensorflow/python/util/",)
COMPUTES = (*WRAPPERS, "/tensorflow/python/ops/", "/tensorflow/python/framework/", "/tensorflow/python/eager/execute.py",
            "/tensorflow/python/eager/context.py", "-packages/numpy/", "-packages/scipy/")


def given_values(facts: Facts) -> tuple[OwnValue, ...]:
    """In order of time; none of variables whose value is computed while they are made."""
    computed = {id(one.variable) for one in facts(own_initial_values)}
    filled = sorted((one.process.pid, one.span.start) for one in facts(initial_values) if one.on_main_thread)
    made = [one for one in outermost(spans(facts, "variable")) if one.on_main_thread]
    found: list[OwnValue] = []
    for leg in facts(path):
        at = leg.process.agent[1] if leg.process.agent else 0
        for one in made:
            if one.process is not leg.process:
                continue
            if id(one) not in computed and not _is_filled(one, filled):
                found.extend(_before(facts, one, at))
            at = one.span.end
    return tuple(found)


def _is_filled(variable: Seen, values: list[tuple[int, int]]) -> bool:
    """Whether one of the values, [(process, begin)], was computed while it was made."""
    place = bisect_left(values, (variable.process.pid, variable.span.start))
    return place < len(values) and values[place] < (variable.process.pid, variable.span.end)


def _before(facts: Facts, made: Seen, begin: int) -> Iterator[OwnValue]:
    """The stretch up to its making in which its line computed."""
    line, lines, samples = line_of(facts, made), facts(stack_lines), made.process.samples
    if line is None:
        return

    def computes(sample: Sample) -> bool:
        return sample.at > begin and lines.of(made.process, sample.stack) == line and _is_computed(_called(sample, line))

    last = first = bisect_right(samples, made.span.start, key=attrgetter("at"))
    while first and computes(samples[first - 1]):
        first -= 1
    if first < last:
        start = max(begin, samples[first - 1].at if first else begin)
        yield OwnValue(start, made.span.start, _name(samples[last - 1], line), line, made)


def _called(sample: Sample, line: SourceLine) -> tuple[Frame, ...]:
    """What the line calls, outermost first; nothing where that is C."""
    return sample.stack[max(number for number, frame in enumerate(sample.stack) if frame.file == line.file) + 1:]


def _is_computed(called: tuple[Frame, ...]) -> bool:
    """Whether that is an operation, or several, and no model, session or function."""
    return all(any(place in frame.file for place in COMPUTES) for frame in called)


def _name(sample: Sample, line: SourceLine) -> str:
    """The function that computes it, as the line calls it; the line's own where that is C."""
    named = (frame.function for frame in _called(sample, line) if not any(place in frame.file for place in WRAPPERS))
    return next(named, sample.stack[-1].function)
