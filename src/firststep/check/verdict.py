"""The verdicts of a gate, and the exit code that they come to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from firststep import exit_codes


class Verdict(Enum):
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
    verdict: Verdict
    limit: str
    measured: str
    words: str = ""
    warning: bool = False


def worst(checks: Iterable[Check]) -> Verdict:
    """Of all of them: what must be looked at first."""
    order = list(Verdict)
    return min((one.verdict for one in checks if not one.warning), key=order.index, default=Verdict.NEUTRAL)


def exit_code(verdicts: Iterable[Verdict], strict: bool) -> int:
    """0: nothing is worse than it may be; 1: something is; 2: something could not be judged (`strict`: or was not resolved)."""
    found = set(verdicts)
    if Verdict.REGRESSED in found:
        return exit_codes.FAILED
    unknown = {Verdict.INCOMPARABLE, Verdict.INCONCLUSIVE} if strict else {Verdict.INCOMPARABLE}
    return exit_codes.USAGE if found & unknown else exit_codes.OK
