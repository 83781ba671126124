"""The verdicts, and the exit code of each. docs/exit-codes.md says what scripts may rely on."""

from __future__ import annotations

from enum import Enum

from firststep import exit_codes


class ProofVerdict(Enum):
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
    ProofVerdict.FASTER: exit_codes.OK,
    ProofVerdict.SLOWER: exit_codes.SLOWER,
    ProofVerdict.DEFERRED: exit_codes.DEFERRED,
    ProofVerdict.NO_DIFFERENCE: exit_codes.NO_DIFFERENCE_SHOWN,
    ProofVerdict.RESULTS_DIFFER: exit_codes.RESULTS_DIFFER,
    ProofVerdict.NOT_REPRODUCIBLE: exit_codes.NOT_REPRODUCIBLE,
    ProofVerdict.FALSE_ALARM: exit_codes.FALSE_ALARM,
    ProofVerdict.NOTHING_LIVE: exit_codes.NOTHING_LIVE,
    ProofVerdict.NOTHING_COMPARABLE: exit_codes.NOTHING_COMPARABLE,
    ProofVerdict.FAILED: exit_codes.PROGRAM_FAILED,
    ProofVerdict.HUNG: exit_codes.TIMED_OUT,
    ProofVerdict.NEVER_READY: exit_codes.NEVER_READY,
}

UNCLEAR = (ProofVerdict.NO_DIFFERENCE, ProofVerdict.NOT_REPRODUCIBLE)  # fine, unless --strict
