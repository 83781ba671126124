"""One run of one side: what it took, what it computed, and under what conditions. Seconds, bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from firststep.prove.machine import Conditions

LATER_STEP = 20  # a saving must still be there at the end of this step


class Side(Enum):
    """Which of the two a run belongs to."""

    PLAIN = "plain"
    TREATED = "treated"

    @property
    def other(self) -> Side:
        return Side.TREATED if self is Side.PLAIN else Side.PLAIN


class Purpose(Enum):
    """Why a run was made; only counted ones enter the comparison of times."""

    WARM_UP = "warm-up"
    LEARNING = "learning"
    COUNTED = "counted"
    CAREFUL = "on one thread"  # for programs that are not equal to themselves


@dataclass(frozen=True)
class Digest:
    """One thing that was computed. position: of a random stream; values: what can be shown of it."""

    what: str
    name: str
    digest: str
    count: int = 1
    position: Any = None
    values: tuple[Any, ...] = ()


@dataclass(frozen=True)
class ComparedRun:
    """The figures of one run. ready, step20 and exit are seconds since it was started."""

    side: Side
    purpose: Purpose
    exit_code: int
    ready: float | None
    exit: float | None
    step20: float | None = None
    step: float | None = None
    memory: int = 0
    cpu: float = 0.0
    ready_by: str = ""
    timed_out: bool = False
    stopped: bool = False
    watched: bool = True
    live: tuple[str, ...] = ()
    learned: tuple[str, ...] = ()
    refused: Mapping[str, str] = field(default_factory=dict)
    results: tuple[Digest, ...] = ()
    steps: int = 0
    printed_last: str = ""
    folders: tuple[str, ...] = ()
    conditions: Conditions | None = None


@dataclass(frozen=True)
class Pair:
    """Two counted runs that were made one after the other."""

    plain: ComparedRun
    treated: ComparedRun
    plain_first: bool
