"""The verdicts, and the exit code of each. docs/exit-codes.md says what scripts may rely on."""

from __future__ import annotations

from enum import Enum

from firststep import exit_codes


class Verdict(Enum):
    """What a comparison says."""

    FASTER = "faster"
    SLOWER = "slower"
    DEFERRED = "deferred"
    NO_DIFFERENCE = "no difference shown"
    RESULTS_DIFFER = "results differ"
    NOT_REPRODUCIBLE = "not reproducible"
    FALSE_ALARM = "false alarm"
    NOTHING_LIVE = "nothing was live"
    NOTHING_COMPARABLE = "nothing comparable"
    FAILED = "the command failed"
    HUNG = "the command hung"
    NEVER_READY = "never ready"


EXIT_CODES = {
    Verdict.FASTER: exit_codes.OK,
    Verdict.SLOWER: exit_codes.SLOWER,
    Verdict.DEFERRED: exit_codes.DEFERRED,
    Verdict.NO_DIFFERENCE: exit_codes.NO_DIFFERENCE_SHOWN,
    Verdict.RESULTS_DIFFER: exit_codes.RESULTS_DIFFER,
    Verdict.NOT_REPRODUCIBLE: exit_codes.NOT_REPRODUCIBLE,
    Verdict.FALSE_ALARM: exit_codes.FALSE_ALARM,
    Verdict.NOTHING_LIVE: exit_codes.NOTHING_LIVE,
    Verdict.NOTHING_COMPARABLE: exit_codes.NOTHING_COMPARABLE,
    Verdict.FAILED: exit_codes.PROGRAM_FAILED,
    Verdict.HUNG: exit_codes.TIMED_OUT,
    Verdict.NEVER_READY: exit_codes.NEVER_READY,
}

UNCLEAR = (Verdict.NO_DIFFERENCE, Verdict.NOT_REPRODUCIBLE)  # fine, unless --strict
