"""The verdicts of a gate, and the exit code that they come to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from firststep import exit_codes


class GateVerdict(Enum):
    """What a gate says; the one that matters most first."""

    REGRESSED = "regressed"
    INCOMPARABLE = "incomparable"
    INCONCLUSIVE = "inconclusive"
    IMPROVED = "improved"
    NEUTRAL = "neutral"


@dataclass(frozen=True)
class Check:
    """One thing that was judged. kind: time (against a limit), change (of a time, against a base), count, finding or program; limit
    and measured: in words; warning: said, and no failure."""

    kind: str
    name: str
    verdict: GateVerdict
    limit: str
    measured: str
    words: str = ""
    warning: bool = False


def worst(checks: Iterable[Check]) -> GateVerdict:
    """Of all of them: what must be looked at first."""
    order = list(GateVerdict)
    return min((one.verdict for one in checks if not one.warning), key=order.index, default=GateVerdict.NEUTRAL)


def exit_code(verdicts: Iterable[GateVerdict], strict: bool) -> int:
    """0: nothing is worse than it may be; 1: something is; 2: something could not be judged (`strict`: or was not resolved)."""
    found = set(verdicts)
    if GateVerdict.REGRESSED in found:
        return exit_codes.FAILED
    unknown = {GateVerdict.INCOMPARABLE, GateVerdict.INCONCLUSIVE} if strict else {GateVerdict.INCOMPARABLE}
    return exit_codes.USAGE if found & unknown else exit_codes.OK
