"""The exclusive partition: every nanosecond from spawn to ready belongs to exactly one phase.

The innermost span wins. Where no span explains the time, or only one that gives way, the samples do: each
stretch goes to the next sample taken in the same place, and that sample's innermost frame says whose it was.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from operator import attrgetter

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.phases import (
    AGENT,
    IMPORTS,
    INTERPRETER,
    LAUNCH,
    NETWORK,
    PHASE_OF,
    PHASES,
    UNACCOUNTED,
)
from firststep.analyse.segments import Nested, Segment, segments
from firststep.analyse.verdicts import Verdicts
from firststep.model.facts import Leg, Partition, Piece
from firststep.model.ownership import OWN_MODULES, Ownership
from firststep.model.trace import Process, Sample

PYTHONS_OWN = ("sitecustomize", "usercustomize")  # imports that come before the program
BLIND_NS = 100_000_000  # a process that was killed is taken to have gone on for so long after its last sign


def partition(facts: Facts) -> Partition:
    """The partition of the whole critical path."""
    trace = facts.trace
    start, end = trace.spawned[0], max(trace.end, trace.spawned[0])
    pieces = [piece for leg in facts(path) for piece in _leg(leg)]
    if not pieces and end > start:
        executed = min(trace.spawned[1], end)
        pieces = [Piece(start, executed, LAUNCH, None), Piece(executed, end, UNACCOUNTED, None)]
        pieces = [piece for piece in pieces if piece.end > piece.start]
    totals = dict.fromkeys(PHASES, 0)
    for piece in pieces:
        totals[piece.phase] += piece.end - piece.start
    return Partition(start, end, tuple(pieces), totals)


def _leg(leg: Leg) -> Iterator[Piece]:
    process = leg.process
    entered = int(process.header["entered_ns"])
    at = leg.start
    for upto, phase in (
        (leg.executed, LAUNCH),
        (entered, INTERPRETER),
        (process.agent[1] if process.agent else entered, AGENT),
    ):
        upto = min(upto, leg.end)
        if upto > at:
            yield Piece(at, upto, phase, process)
            at = upto
    known, afterwards = _last_known(process)
    known = min(max(known, at), leg.end)
    yield from _WatchedPart(process, at, known).pieces()
    if known < leg.end:
        yield Piece(known, leg.end, afterwards, process)


def _last_known(process: Process) -> tuple[int, str]:
    """Until when the process is known, and the phase of what follows: shutdown, or the dark after a kill."""
    if process.end:
        return process.end[0], INTERPRETER
    if any(span.kind == "cluster-wait" and not span.ended for span in process.spans):
        return max((span.end for span in process.spans if not span.ended), default=0), NETWORK
    seen = [sample.at for sample in process.samples[-1:]] + [span.end for span in process.spans]
    return max(seen, default=int(process.header["entered_ns"])) + BLIND_NS, UNACCOUNTED


class _WatchedPart:
    """The part of a leg in which the agent watched."""

    def __init__(self, process: Process, start: int, end: int) -> None:
        self._process = process
        self._verdicts = Verdicts(Ownership(process.header))
        main = [span for span in process.spans if span.thread == process.thread]
        self._segments = segments(main, start, end)
        self._samples = self._by_place(process.samples, end)
        self._settled: dict[Nested | None, str | None] = {None: None}

    def _by_place(self, samples: tuple[Sample, ...], end: int) -> dict[Nested | None, list[Sample]]:
        """Samples by the innermost span that was open. The first one after the end belongs to what ends there."""
        starts = [segment.start for segment in self._segments]
        places: dict[Nested | None, list[Sample]] = defaultdict(list)
        for sample in samples:
            index = bisect_left(starts, sample.at) - 1
            if index >= 0:
                places[self._segments[index].innermost].append(sample)
            if sample.at >= end:
                break
        return places

    def pieces(self) -> Iterator[Piece]:
        coming_up = self._coming_up()
        for segment in self._segments:
            if segment.end <= coming_up and segment.innermost is None:
                yield Piece(segment.start, segment.end, INTERPRETER, self._process)
                continue
            settled = self._phase_of(segment.innermost)
            place = self._place(segment.innermost) if settled is None or settled == IMPORTS else None
            span = segment.innermost.span if segment.innermost else None
            if place is not None:
                yield from self._by_samples(segment, *place)
            else:
                yield Piece(segment.start, segment.end, settled or UNACCOUNTED, self._process, span)

    def _coming_up(self) -> int:
        """Until when Python was still on its way to the program: the first thing of the program's that was seen."""
        if self._process.header.get("origin") == "fork":
            return 0
        began = (segment.start for segment in self._segments
                 if segment.innermost and segment.innermost.span.name not in PYTHONS_OWN)
        sampled = (sample.at - 1 for sample in self._samples.get(None, ()))
        first = next(began, 0)
        return min(first, next(sampled, first))

    def _phase_of(self, innermost: Nested | None) -> str | None:
        """The phase that the spans alone decide: the innermost one that has a phase. What our own modules' imports cost, nested
        ones included, is ours."""
        inward: list[Nested] = []
        while innermost not in self._settled:
            assert innermost
            inward.append(innermost)
            innermost = innermost.around
        found = self._settled[innermost]
        for nested in reversed(inward):
            span = nested.span
            if found != AGENT:
                found = AGENT if span.kind == "import" and span.name.startswith(OWN_MODULES) else PHASE_OF.get(span.kind, found)
            self._settled[nested] = found
        return found

    def _place(self, innermost: Nested | None) -> tuple[list[Sample], str | None] | None:
        """The samples that decide, and the module whose import was under way; None where no sample can tell."""
        for nested in innermost.outward() if innermost else ():
            kind, name = nested.span.kind, nested.span.name
            found = self._samples.get(nested)
            if found and (kind == "import" or kind not in PHASE_OF):
                return found, name if kind == "import" else None
            if kind in PHASE_OF:
                return None
        found = self._samples.get(None)
        return (found, None) if found else None

    def _by_samples(self, segment: Segment, samples: list[Sample], module: str | None) -> Iterator[Piece]:
        span = segment.innermost.span if segment.innermost else None
        at = segment.start
        index = bisect_left(samples, at, key=attrgetter("at"))
        while at < segment.end:
            sample = samples[min(index, len(samples) - 1)]
            upto = min(max(sample.at, at), segment.end) if index < len(samples) else segment.end
            if upto > at:
                verdict = self._verdicts.of(sample, module)
                yield Piece(at, upto, verdict.phase, self._process, span, sample, verdict)
            at = upto
            index += 1
