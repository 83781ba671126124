"""Initial values that a line computes before it makes a variable of them: `tf.Variable(tf.random.normal(shape))`."""

from __future__ import annotations

from bisect import bisect_right
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
    filled = [one for one in facts(initial_values) if one.on_main_thread]
    found: list[OwnValue] = []
    for leg in facts(path):
        at = leg.process.agent[1] if leg.process.agent else 0
        for one in outermost(spans(facts, "variable")):
            if one.process is not leg.process or not one.on_main_thread:
                continue
            if id(one) not in computed and not any(_is_within(value, one) for value in filled):
                found.extend(_before(facts, one, at))
            at = one.span.end
    return tuple(found)


def _is_within(value: Seen, variable: Seen) -> bool:
    return value.process is variable.process and variable.span.start <= value.span.start < variable.span.end


def _before(facts: Facts, made: Seen, begin: int) -> Iterator[OwnValue]:
    """The stretch up to its making in which its line computed."""
    line, lines = line_of(facts, made), facts(stack_lines)
    samples = made.process.samples
    last = first = bisect_right(samples, made.span.start, key=attrgetter("at"))
    while first and line is not None and samples[first - 1].at > begin and lines.of(made.process, samples[first - 1].stack) == line and (
            _is_computed(_called(samples[first - 1], line))):
        first -= 1
    if line is not None and first < last:
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
