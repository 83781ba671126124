"""What a gate needs of one start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from firststep.analyse.counts import counts
from firststep.analyse.facts import Facts
from firststep.analyse.identity import identity
from firststep.analyse.partition import partition
from firststep.check.settings import TOTAL
from firststep.diagnose import diagnosis
from firststep.model.facts import Identity

LEAST_S = 1e-6  # a phase that took no time: a ratio needs one


@dataclass(frozen=True)
class MeasuredStart:
    """One start. times: seconds by phase and TOTAL; findings: what each says, by cause."""

    identity: Identity
    times: Mapping[str, float]
    counts: Mapping[str, int]
    findings: Mapping[str, str]


def sample_of(facts: Facts) -> MeasuredStart:
    """The figures of a start."""
    whole = facts(partition)
    times = {name: max(ns / 1e9, LEAST_S) for name, ns in {TOTAL: whole.wall_ns, **whole.phases}.items()}
    return MeasuredStart(identity(facts), times, facts(counts), {one.id: one.evidence.words for one in facts(diagnosis).findings})
