"""The samples of the critical path as stacks with the time that each stands for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.verdicts import Verdicts
from firststep.model.facts import Leg
from firststep.model.ownership import AGENT, Ownership
from firststep.model.trace import Frame, Process, Sample


class Stack(NamedTuple):
    """frames: outermost first, none of the agent's; ns: since the sample before it, on the critical path; at: when it was taken."""

    process: Process
    frames: tuple[Frame, ...]
    at: int
    ns: int
    sample: Sample


def stacks(facts: Facts) -> tuple[Stack, ...]:
    """In order of time; their times are those of the lines of the program."""
    return tuple(stack for leg in facts(path) for stack in _of_leg(leg))


def _of_leg(leg: Leg) -> Iterator[Stack]:
    owners = Ownership(leg.process.header)
    verdicts = Verdicts(owners)
    known: dict[int, tuple[Frame, ...]] = {}
    at = leg.process.agent[1] if leg.process.agent else int(leg.process.header["entered_ns"])
    for sample in leg.process.samples:
        upto = min(sample.at, leg.end)
        if upto <= at:
            continue
        key = id(sample.stack)
        if key not in known:
            seen = verdicts.without_sampler(sample.stack)
            known[key] = tuple(frame for frame in seen if owners.of(frame.file).kind != AGENT)
        yield Stack(leg.process, known[key], upto, upto - at, sample)
        at = upto
