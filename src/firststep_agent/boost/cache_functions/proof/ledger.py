"""What proofs owe the end of the program, against what answers have saved.

A proof takes a trace and three looks at everything, beside the program. Where the program ends before it, that is time the program
waits. So functions that are asked for after the first step, or after the first few, are answered unseen only as long as no more is owed
than was saved: a short program that makes many models is never slower than plainly. The others are found by their content.
"""

from firststep_agent import clock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firststep_agent.boost.cache_functions.proof.proof_child import ProofChild

FREE = 3  # proofs before the first step, whatever they cost: that step is what people wait for
LOOKS_S = 2.0  # of processor time, for the three looks: 1.1 to 3 s were seen, the most where much is in variables
WATCHED_S = 2.0  # of processor time, for functions that are not learned then: a start may have dozens that are cheap
_NOTICED = 0.05  # of the time until then
_SHARE = 0.1  # of the program's time so far, which may go into what later starts gain by
LEAST_TRACE_S = 0.3
LATER = "others, which are not answered, were watched before it for long enough: it is learned in the next start"
NOT_WORTH_IT = "its proof would take longer than an answer saves: it is traced, and found by its content"


class Ledger:
    """Of one process. counts: False where all is to be proved, whatever it costs. proofs: a function that gives those that were begun."""

    def __init__(self, counts: bool, proofs: "Callable[[], list[ProofChild]]") -> None:
        self._counts = counts
        self._proofs = proofs
        self._began_ns = clock.now()
        self._is_ready = False
        self._saved_s = self._watched_s = 0.0

    def ready(self) -> None:
        """The first step is over."""
        self._is_ready = True

    def ask(self) -> bool:
        """Whether a function may be looked up now, or learned: a look takes time, too."""
        return self._is_free() or self._affords(LEAST_TRACE_S, LEAST_TRACE_S)

    def affords_answer(self, trace_s: float, spent_s: float) -> bool:
        """Whether an answer pays for its proof: before the first step where that comes sooner by something that people notice, else at
        the latest at the program's end. trace_s: what the trace would take; spent_s: what the look-up has taken."""
        if self._is_free():
            return not self._counts or trace_s - spent_s >= _NOTICED * self._so_far_s()
        return self._affords(trace_s, trace_s - spent_s)

    def affords_trace(self, trace_s: float) -> bool:
        """Whether a function may be learned or confirmed, of which later starts will gain."""
        return self._is_free() or self._affords(trace_s, 0.0)

    def watched(self, spent_s: float) -> None:
        """A function was watched while it was traced, for nothing: the next start knows it."""
        self._watched_s += spent_s

    def may_watch(self) -> bool:
        """Whether a trace may be watched for what it reads, which costs several times a cheap one."""
        return not self._counts or self._watched_s < WATCHED_S

    def answered(self, trace_s: float) -> None:
        """That much was saved."""
        self._saved_s += trace_s

    def _is_free(self) -> bool:
        return not self._counts or (not self._is_ready and len(self._proofs()) < FREE)

    def _affords(self, trace_s: float, gain_s: float) -> bool:
        spare = self._saved_s + gain_s + _SHARE * self._so_far_s()
        return self._owed_s() + trace_s + LOOKS_S <= spare

    def _so_far_s(self) -> float:
        return (clock.now() - self._began_ns) / 1e9

    def _owed_s(self) -> float:
        """What the proofs that are under way have still to do."""
        return sum(max(0.0, proof.worth_s + LOOKS_S - proof.used_s()) for proof in self._proofs() if not proof.verdict)
