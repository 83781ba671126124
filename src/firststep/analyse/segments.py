"""Cuts a stretch of one thread's time into segments, each with the spans that were open, innermost first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from firststep.model.trace import Span


class Nested:
    """A span with the one around it. Compared by identity: two spans may look the same."""

    __slots__ = ("span", "around")

    def __init__(self, span: Span, around: Nested | None) -> None:
        self.span = span
        self.around = around

    def outward(self) -> Iterator[Nested]:
        """This one, then those around it."""
        nested: Nested | None = self
        while nested is not None:
            yield nested
            nested = nested.around


class Segment(NamedTuple):
    """innermost: None where no span was open."""

    start: int
    end: int
    innermost: Nested | None


def segments(spans: Iterable[Span], start: int, end: int) -> list[Segment]:
    """Segments that cover [start, end) without a gap. The innermost span is the one that began last.

    Of spans that begin together the shorter is the inner one. Spans may overlap without being nested.
    """
    ordered = sorted(
        (
            (max(span.start, start), -min(span.end, end), -number, span)
            for number, span in enumerate(spans)
            if span.start < end and span.end > start and span.end > span.start
        ),
    )
    found: list[Segment] = []
    stack: list[Nested] = []
    at = start

    def advance(until: int) -> None:
        """Emits segments up to `until`, closing the spans that end before it."""
        nonlocal at
        while stack and at < until:
            ends = min(stack[-1].span.end, end)
            if ends > at:
                upto = min(ends, until)
                found.append(Segment(at, upto, stack[-1]))
                at = upto
            if ends <= at:
                stack.pop()
        if at < until:
            found.append(Segment(at, until, None))
            at = until

    for begins, _, _, span in ordered:
        advance(begins)
        while stack and stack[-1].span.end <= begins:
            stack.pop()
        stack.append(Nested(span, _around(stack, begins)))
    advance(end)
    return found


def _around(stack: list[Nested], at: int) -> Nested | None:
    for nested in reversed(stack):
        if nested.span.end > at:
            return nested
    return None
