"""Findings: what was found to be slow, with its evidence, what it costs and what to do. Times are nanoseconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from firststep.model.facts import SourceLine

Level = Literal["high", "medium", "low"]


class Cut(NamedTuple):
    """A stretch of the main thread that would go, or a share of it: at least `low`, at most `high`."""

    start: int
    end: int
    low: float = 1.0
    high: float = 1.0


class Gain(NamedTuple):
    """What a start would be shorter by: at least and at most."""

    low_ns: int
    high_ns: int

    @property
    def middle_ns(self) -> int:
        return (self.low_ns + self.high_ns) // 2


@dataclass(frozen=True)
class Evidence:
    """The one measurement that shows it, in a sentence, and the user's line that it happened at."""

    words: str
    line: SourceLine | None = None


@dataclass(frozen=True)
class Found:
    """What a cause makes of the facts.

    what: what is slow, and how much it is, in a few words; do: the edit, command or setting; cuts: the stretches that
    would go with it, before ready or, with after_ready, later ones; gain: where no stretch says it; remedies: of those that the
    cause names, the ones that apply here, None for all; whatever_it_gains: worth saying though it costs no time yet;
    costs_every_step: it makes each step slow, which outweighs whatever the start takes.
    """

    what: str
    evidence: Evidence
    do: str
    confidence: Level
    cuts: tuple[Cut, ...] = ()
    gain: Gain | None = None
    after_ready: bool = False
    remedies: tuple[str, ...] | None = None
    whatever_it_gains: bool = False
    costs_every_step: bool = False


@dataclass(frozen=True)
class Finding:
    """Something that made this start slow.

    id: of its cause; group: the kind of cause; severity: by the share of the start that would go; confidence: that it is
    so; remedies: what of boost's removes it, by id; after_ready: it costs its time after the first step; costs_every_step: in each one.
    """

    id: str
    group: str
    what: str
    severity: Level
    confidence: Level
    gain: Gain
    evidence: Evidence
    do: str
    remedies: tuple[str, ...]
    after_ready: bool
    cuts: tuple[Cut, ...]
    costs_every_step: bool = False

    @property
    def boosted(self) -> bool:
        """Whether boost does something about it already, with no edit."""
        return bool(self.remedies)


@dataclass(frozen=True)
class NotMeasured:
    """A cause that could not be looked for. lacks: what was not watched, in words."""

    id: str
    lacks: str


@dataclass(frozen=True)
class Failed:
    """A cause whose own code failed. error: in words."""

    id: str
    error: str


@dataclass(frozen=True)
class Diagnosis:
    """findings: what matters most first; boosted, edited: what boost's remedies would take off this start, all together, and what edits and
    settings would; later: what all of those would that cost their time after the first step. In each an instant counts once."""

    findings: tuple[Finding, ...]
    not_measured: tuple[NotMeasured, ...]
    failed: tuple[Failed, ...]
    boosted: Gain
    edited: Gain
    later: Gain
