"""A report as values: what every writer draws, a terminal or a page. Texts are plain, sizes and colours the writer's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from firststep.model.findings import Level


@dataclass(frozen=True)
class FindingRow:
    """One finding. gain: "0.6–0.8 s"; place: the user's line, or empty; when: "later" or "so far", where it costs that after
    the first step."""

    id: str
    what: str
    gain: str
    evidence: str
    place: str
    do: str
    severity: Level
    confidence: Level
    when: str


@dataclass(frozen=True)
class PhaseRow:
    """One phase. share: of the start, 0 to 1; bar: of the longest phase; detail: clauses, the most telling first."""

    phase: str
    time: str
    share: float
    bar: float
    detail: tuple[str, ...]


@dataclass(frozen=True)
class LineRow:
    """A line of the program with the time it took with all that it calls."""

    place: str
    time: str
    text: str


@dataclass(frozen=True)
class NoteRow:
    """Something to know about the report itself."""

    words: str
    kind: Literal["plain", "warning"] = "plain"


@dataclass(frozen=True)
class Report:
    """time and reached: "5.64 s", "the end of its first training step"; verdict: one sentence; more: findings that are
    not among `findings`; outlook: what boost would bring, or empty; rest: the small phases together."""

    time: str
    reached: str
    verdict: str
    command: str
    machine: str
    findings: tuple[FindingRow, ...]
    more: int
    phases: tuple[PhaseRow, ...]
    rest: PhaseRow | None
    outlook: str
    lines: tuple[LineRow, ...]
    notes: tuple[NoteRow, ...]


@dataclass(frozen=True)
class Table:
    """One topic in full. columns: headings, numbers right-aligned where `right` says so; total: of all rows, also of those
    that are not shown; notes: what else is known, and why there is nothing where there is none."""

    title: str
    columns: tuple[str, ...]
    right: tuple[bool, ...]
    rows: tuple[tuple[str, ...], ...]
    total: tuple[str, ...] | None
    notes: tuple[str, ...] = ()
