"""Graphs that a program builds by hand, outside of any trace, as TensorFlow 1's do: by what was called, and by the program's line."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.phases import TRACING
from firststep.analyse.spans import Seen, outermost, spans
from firststep.analyse.user_lines import line_of
from firststep.model.facts import Piece, SourceLine
from firststep.model.facts_frameworks import BuiltByHand


def graph_building(facts: Facts) -> tuple[BuiltByHand, ...]:
    """Costliest first; with the traces' own times they add up to the phase `tracing`."""
    times: Counter[tuple[str, SourceLine | None]] = Counter()
    traces = [one.span for one in outermost(tuple(one for one in spans(facts, "trace") if one.on_main_thread))]
    starts = [span.start for span in traces]
    for piece in facts(partition).pieces:
        index = bisect_right(starts, piece.start) - 1
        if piece.phase == TRACING and (index < 0 or traces[index].end <= piece.start):
            times[_what(facts, piece)] += piece.end - piece.start
    return tuple(BuiltByHand(called, line, ns) for (called, line), ns in times.most_common())


def _what(facts: Facts, piece: Piece) -> tuple[str, SourceLine | None]:
    if piece.verdict:
        return piece.verdict.called or piece.verdict.function, piece.verdict.line
    if piece.span and piece.process:
        return piece.span.kind, line_of(facts, Seen(piece.process, piece.span))
    return "", None
