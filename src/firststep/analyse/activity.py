"""What the main thread was doing in each phase: running, or waiting, and for what."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.phases import NETWORK
from firststep.analyse.system_calls import waits_for
from firststep.model.facts import Activity, Leg, Piece
from firststep.model.trace import Sample

MOST = 2**63  # more than any count


def activity(facts: Facts) -> Mapping[str, Activity]:
    """Activity by phase, for phases that took time."""
    whole = facts(partition)
    waits = waits_for(str(facts.trace.header.get("host", {}).get("machine", "")))
    seen: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for leg in facts(path):
        pieces = [piece for piece in whole.pieces if piece.process is leg.process]
        for phase, what, ns in _shares(leg, pieces, waits):
            seen[phase][what] += ns
    return {phase: _activity(total, seen[phase]) for phase, total in whole.phases.items() if total}


def _shares(leg: Leg, pieces: list[Piece], waits: Mapping[int, str]) -> Iterator[tuple[str, str, float]]:
    """(phase, field of Activity, nanoseconds) for each stretch between two samples within each piece."""
    samples = leg.process.samples
    known: dict[tuple[int, bool], list[tuple[str, float]]] = {}  # what the thread did up to a sample, in a network phase or not
    index = 1
    for piece in pieces:
        while index < len(samples) and samples[index].at <= piece.start:
            index += 1
        at = index
        while at < len(samples) and samples[at - 1].at < piece.end:
            before, after = samples[at - 1], samples[at]
            overlap = min(piece.end, after.at) - max(piece.start, before.at)
            if overlap > 0:
                share, key = overlap / (after.at - before.at), (at, piece.phase == NETWORK)
                if key not in known:
                    known[key] = list(between(leg, before, after, waits, piece.phase))
                for what, ns in known[key]:
                    yield piece.phase, what, ns * share
            at += 1


def between(
    leg: Leg, before: Sample, after: Sample, waits: Mapping[int, str], phase: str
) -> Iterator[tuple[str, float]]:
    """What the leg's thread did from one sample to the next, in nanoseconds by field of Activity.

    A thread that waits for a page while it holds Python's lock is seen only when it runs again: the kernel's count tells.
    """
    wall = after.at - before.at
    ran = min(after.ran - before.ran, wall)
    runnable = min(after.waited - before.waited, wall - ran)
    yield "running_ns", ran
    yield "runnable_ns", runnable
    blocked = wall - ran - runnable
    if phase == NETWORK:
        yield "network_ns", blocked
    elif after.state == "D" or after.state == "R" and _from_disk(leg, after.at) > _from_disk(leg, before.at):
        yield "disk_ns", blocked
    else:
        yield waits.get(after.call, "waiting_ns"), blocked


def _from_disk(leg: Leg, at: int) -> int:
    """How many page faults had waited for the disk by then."""
    index = bisect_right(leg.process.shortages, (at, MOST, MOST, MOST))
    return leg.process.shortages[index - 1][2] if index else 0


def _activity(total: int, seen: Mapping[str, float]) -> Activity:
    """Whole nanoseconds that add up to `total`; what no sample saw is the rest."""
    rounded = {what: int(ns) for what, ns in seen.items()}
    return Activity(**rounded, unseen_ns=max(0, total - sum(rounded.values())))
