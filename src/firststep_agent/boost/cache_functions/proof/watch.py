"""The proofs of one process: begun at an answer, followed to their verdicts, waited for at the end.

Where the trace differs from the answer, the run ends before its results can be taken for right ones.
"""

import sys
from types import CodeType

from firststep_agent.as_found import os
from firststep_agent.boost.cache_functions import ID
from firststep_agent.boost.cache_functions.proof import fork, hindrances, sandbox, work
from firststep_agent.boost.cache_functions.proof.endings import Endings
from firststep_agent.boost.cache_functions.proof.ledger import Ledger
from firststep_agent.boost.cache_functions.proof.proof_child import ProofChild, address
from firststep_agent.boost.objects import roots, words
from firststep_agent.boost.objects.attributes import held
from firststep_agent.boost.traces import others
from firststep_agent.forks import leave
from firststep_agent.pythons_own import pythons_own
from firststep_agent.signals import is_theirs
from firststep_agent.writing import write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from firststep_agent.boost.cache_functions.keep.entries import FunctionEntry

INTERRUPTED = "the program was interrupted while it waited for it at its end"
mmap = pythons_own("mmap")
EXIT_CODE = 86  # of a run that was stopped: docs/exit-codes.md
MOST = 8  # children that are alive


def _title(job: "work.Job") -> str:
    code = held(roots.innermost(job.python_function), "__code__")
    return words.of_code(code) if type(code) is CodeType else f"`{job.name}`"


class Proofs:
    """Begins proofs for one process. decided(proof, text): what a verdict means is the caller's."""

    def __init__(self, run: "Any", settings: "dict[str, Any]") -> None:
        self._run = run
        self._one_cpu = settings.get("replay_on_one_cpu", False)
        self._waits_s = 600.0 if settings.get("proof") == "wait" else None
        self._registered = _registered(run)
        self._all: list[ProofChild] = []
        self._is_ready = False
        self._spoilt: tuple[int, str] | None = None
        self._stopping = self._waits_in_child = False
        self._endings = Endings(run, self._settle, self._answers)
        self._listeners: list[Callable[[ProofChild, str], None]] = []
        beside = self._waits_s is None and settings.get("replay_over_ms", 1) > 0
        self.ledger = Ledger(beside, lambda: self._all)
        run.on_ready(self._ready)
        run.on_fork(self._in_child)

    def heard(self, listener: "Callable[[ProofChild, str], None]") -> None:
        """listener(proof, text) is called at each verdict."""
        self._listeners.append(listener)

    def decided(self, proof: "ProofChild", text: str) -> None:
        """A verdict is there."""
        try:
            for listener in self._listeners if proof.is_own else ():
                self._tell(listener, proof, text)
        finally:  # also where a signal's handler has raised meanwhile
            self._stop_after(proof)
        self.settled()

    def _tell(self, listener: "Callable[[ProofChild, str], None]", proof: "ProofChild", text: str) -> None:
        """A verdict that cannot be written down is a verdict all the same."""
        try:
            listener(proof, text)
        except Exception as error:
            if is_theirs(error):
                raise
            self._run.note(ID, "error", function=proof.name, reason=f"{type(error).__name__}: {error}")

    def _stop_after(self, proof: "ProofChild") -> None:
        """Ends the run where the program has gone on with an answer that is wrong."""
        if proof.verdict == work.DIFFERS and proof.kind == "replay" and not self._stopping:
            self._stop(f"firststep: stopped: {proof.title} was answered from the function cache, and a real trace of it now differs in "
                       f"{proof.text}. What this run has computed since is not to be used. {proof.advice}\n")

    def settled(self) -> None:
        """One proof less is to come."""
        if self._spoilt is None and not any(proof.proves_answer_still for proof in self._all):
            self._endings.leave()

    def _answers(self) -> bool:
        return any(proof.is_own and proof.proves_answer_still for proof in self._all)

    def spoil(self, error: str) -> None:
        """The program gets an error that it would not get plainly. Whether it catches it or not, the run ends as a stopped one."""
        self._spoilt = os.getpid(), (f"{error}. If the program has caught that error, it went on without the call: what this run has "
                                     "computed since is not to be used\n")
        self._endings.watch()

    def hindrance(self) -> "str | None":
        """Why no proof can be begun now, in words, or None."""
        try:
            self._leave_no_process()
            return self._too_many() or hindrances.now(self._registered, self._run, self._one_cpu)
        except Exception as error:
            if is_theirs(error):
                raise
            return f"{type(error).__name__}: {error}"

    def _too_many(self) -> "str | None":
        under_way = [proof for proof in self._all if proof.is_open()]
        if len(under_way) < MOST:
            return None
        if self._waits_s is None:
            return f"{MOST} proofs are under way, and no more are begun before one of them ends"
        under_way[0].wait(self._waits_s)
        return None

    def begin(self, job: "work.Job", kind: str, entry: "FunctionEntry | None", worth_ns: int, tried: bool = False,
              differs: "Sequence[str]" = ()) -> "ProofChild":
        """Forks the child that does the job; the ProofChild, which says what the rest is. Raises OSError or sandbox.Unavailable."""
        job.program, job.is_answer = os.getpid(), kind == "replay"
        self._run.beside.complete()  # no child has the thread that does it
        earlier = [proof.region for proof in self._all if proof.is_open()]
        region = mmap.mmap(-1, work.SIZE)
        sandbox.own(address(region), work.SIZE)
        shared = sandbox.shared_now()
        between = fork.Between()
        try:
            if between.fork(self._registered, bool(others.threads()), sandbox.close_all):
                work.do(job, region, earlier, self._registered, shared)
            proof = ProofChild(self, region, between, kind, entry, job.name, worth_ns, tried, differs)
            proof.title = _title(job)
            self._all.append(proof)
        except BaseException:  # what a signal's handler raises comes when there is a child
            region[0] = work.FAILED
            between()
            sandbox.disown(address(region))
            raise
        if proof.proves_answer_still:
            self._endings.watch()
        if self._is_ready or job.files:  # what it reads may not be there for long
            proof.go()
        return proof

    def _ready(self) -> None:
        self._is_ready = True
        self.ledger.ready()
        self.go()

    def go(self) -> None:
        """The program waits, or has made its first step: nobody is to wait for that any more."""
        for proof in self._all:
            proof.go()

    def used_s(self) -> float:
        """Seconds of processor time that the children which are there have had."""
        return sum(proof.used_s() for proof in self._all if not proof.verdict)

    def look(self) -> None:
        """Looks at every verdict that is still to come."""
        for proof in self._all:
            proof.is_open()

    def _leave_no_process(self) -> None:
        for proof in self._all:
            if proof.is_own:
                proof.leave_no_process()

    def _in_child(self) -> None:
        """A child of the program's that goes on with answers ends after their verdicts, also where the run itself is over in it."""
        if not self._waits_in_child and any(proof.proves_answer_still for proof in self._all):
            import atexit

            self._waits_in_child = True
            atexit.register(self._end_child_of_program)

    def _end_child_of_program(self) -> None:
        try:
            self._settle()
        except BaseException:  # an interrupt means the wait: nothing of the program runs any more
            pass

    def finish(self) -> None:
        """At the end of the program: waits for the verdicts, but not for long."""
        self._settle(answers_only=False)

    def _settle(self, answers_only: bool = True) -> None:
        """Waits for the verdicts. A child of the program's, which has the answers of its parent too, leaves their proofs to that. Who
        interrupts it (Ctrl-C, as a rule) waits for none."""
        try:
            self._wait_for_verdicts(answers_only)
        except BaseException:
            for proof in self._all:
                if proof.is_own:
                    proof.give_up(INTERRUPTED)
            raise
        for proof in self._all:  # one whose verdict was met when a signal's handler raised
            self._stop_after(proof)
        spoilt, self._spoilt = self._spoilt, None  # who stops ends the run, and asks this once more
        if spoilt is not None and spoilt[0] == os.getpid():
            self._stop(spoilt[1])

    def _wait_for_verdicts(self, answers_only: bool) -> None:
        self._leave_no_process()
        for proof in self._all:
            if proof.proves_answer_still or (proof.is_own and not answers_only and proof.verdict == work.RUNNING):
                proof.wait(self._waits_s)
                if proof.is_own:
                    proof.give_up()

    def _stop(self, message: str) -> None:
        """Ends the run, whatever else goes wrong."""
        self._stopping = True
        try:
            for stream in (sys.stdout, sys.stderr):
                try:
                    stream.flush()
                except BaseException:
                    pass
            try:
                write_all(2, message.encode("utf-8", "replace"))
            except BaseException:
                pass
            self._run.finish("disproved")
        finally:
            leave(EXIT_CODE)


def _registered(run: "Any") -> "Any":
    """The interpreter's list of what runs in forked children; the agent's own function is in it."""
    return getattr(run, "fork_handlers", None)
