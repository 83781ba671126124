"""The proofs of one process: begun at an answer, followed to their verdicts, waited for at the end.

A verdict stands in memory that program and child share, so that looking at it costs the program nothing. Where the trace
differs from the answer, the run ends before its results can be taken for right ones.
"""

import signal
import sys
import threading
from types import CodeType

from firststep_agent import clock
from firststep_agent.as_found import open, os, time
from firststep_agent.boost.cache_functions import ID
from firststep_agent.boost.cache_functions.proof import fork, sandbox, waiters, work
from firststep_agent.boost.cache_functions.proof.endings import Endings
from firststep_agent.boost.cache_functions.proof.ledger import Ledger
from firststep_agent.boost.objects import roots, words
from firststep_agent.boost.objects.attributes import held
from firststep_agent.boost.traces import others
from firststep_agent.forks import leave
from firststep_agent.pythons_own import pythons_own
from firststep_agent.signals import is_theirs
from firststep_agent.writing import write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from mmap import mmap as Region
    from typing import Any

    from firststep_agent.boost.cache_functions.keep.entries import FunctionEntry

AGAIN = "The stored function is never used again: start the program once more, it will be traced plainly"
NO_PROCESS = "no process could be made that proves it"
BESIDE_A_DEVICE = "an accelerator is in use, whose driver a forked child cannot use"
INTERRUPTED = "the program was interrupted while it waited for it at its end"
mmap = pythons_own("mmap")
EXIT_CODE = 86  # of a run that was stopped: docs/exit-codes.md
MOST = 8  # children that are alive
_COMPARING_S = 2.0  # of processor time that both children need besides the trace
_AGAIN = 1.25  # times what the last proof took
_LOOKING_S = 1.0  # that they take for their looks at everything, however short the trace
_BUSY = 4  # times as long, on a machine whose processors others use
_AT_LOWEST_NS = 10_000_000_000  # that a proof may take beside the program's own work
_ASKED_EVERY_NS = 20_000_000  # whether a child is still there
_STILL_S = 3.0  # without any processor time: a child waits for a thread that did not come along
_TO_EARN_TRUST_S = 10.0  # that the end of a confirming start may wait: its verdict makes the later ones fast


class ProofChild:
    """One child's work. kind: `learn`, `confirm` or `replay`; entry: whose answer it proves; name: the function's; text: what
    differs, or why there is no verdict; advice: what to do after a wrong answer; tried: whether an earlier start has waited for such a
    verdict in vain; differs: what of the program's state differs from the entry's; traced_ns: what the program's own trace took,
    beside it."""

    def __init__(self, owner: "Proofs", region: "Region", let_go: "Callable[[], bool]", kind: str, entry: "FunctionEntry | None", name: str,
                 worth_ns: int, tried: bool, differs: "Sequence[str]") -> None:
        self._owner = owner
        self._pid = os.getpid()
        self.region = region
        self._address = _address(region)
        self._let_go: Callable[[], bool] | None = let_go
        self.kind = kind
        self.entry: Any = entry
        self.name = name
        self.title = f"`{name}`"  # with its place, where that is known: a program may have several of a name
        self.text = ""
        self.advice = AGAIN
        self._deciding = threading.Lock()
        self._worth_ns = worth_ns
        self._began_ns = self._asked_ns = clock.now()
        self.tried = tried
        self.differs: Any = differs
        self.traced_ns = 0
        self.verdict = work.RUNNING
        self._why_none = "it took longer than the trace itself"

    @property
    def is_own(self) -> bool:
        """Whether this process has begun it, and not one that it was forked from, which looks after it."""
        return self._pid == os.getpid()

    @property
    def worth_s(self) -> float:
        """Seconds that the trace takes which it is a proof of."""
        return self._worth_ns / 1e9

    @property
    def took_ns(self) -> int:
        """Processor time that its verdict took, once it is there."""
        return round(work.took_s(self.region) * 1e9)

    @property
    def proves_answer_still(self) -> bool:
        """Whether the program goes on with an answer that there is no verdict on."""
        return self.kind == "replay" and self.verdict == work.RUNNING

    def begun(self) -> bool:
        """Waits for the child to be on its own. False where it could not be made."""
        let_go, self._let_go = self._let_go, None
        return let_go is None or let_go()

    def leave_no_process(self) -> None:
        """Waits for the child to be on its own, before any code of the program's goes on: that might meet the process between. One that
        could not be made is no verdict."""
        if not self.begun():
            self._decide(work.FAILED, NO_PROCESS)

    def go(self) -> None:
        """Lets the child begin now."""
        work.let_go(self.region)

    def is_open(self) -> bool:
        """Looks for the verdict; True while there is none. What it means is carried out here, once."""
        if self.verdict:
            return False
        status = self.region[0]
        if not status and not self._look_after():
            return True
        self._decide(status, work.said(self.region) if status else "the process that proves it was ended")
        return False

    def _decide(self, status: int, text: str) -> None:
        with self._deciding:
            if self.verdict:
                return
            self.text = text
            self.verdict = self.region[0] = status or work.FAILED
        self._owner.decided(self, text)

    def _look_after(self) -> bool:
        """Whether the child has ended without a verdict. Asked seldom, for steps wait for the answer. One that has been there for long is
        helped on: a program that uses all processors leaves none to the lowest priority."""
        now = clock.now()
        if now - self._asked_ns < _ASKED_EVERY_NS:
            return False
        self._asked_ns = now
        if now - self._began_ns > _AT_LOWEST_NS:
            self._hurry()
        pid = next(iter(work.numbers(self.region)), None)
        if pid is None:
            return now - self._began_ns > 10_000_000_000
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return not self.region[0]
        except OSError as error:  # a program that has become another user may not ask: it is there
            if is_theirs(error):
                raise
        return False

    def wait(self, seconds: "float | None" = None) -> None:
        """Until there is a verdict, or no child moves; by default no longer than the trace takes plainly, on a machine as busy as it
        is now."""
        self.leave_no_process()
        self._owner.go()
        patience = self._patience_s() if seconds is None else seconds
        began, share, stillness = time.monotonic(), _Share(self), _Stillness(self._owner.used_s)
        while self.is_open():
            self._hurry()
            if stillness.is_reached():
                self._why_none = f"the process that proves it did nothing for {_STILL_S:.0f} s"
                break
            waited = time.monotonic() - began
            enough = seconds is not None or share.had_s() > max(patience + _COMPARING_S, _AGAIN * self._known_s())
            if waited > _BUSY * (patience + _LOOKING_S) or (waited > patience and enough):
                break
            time.sleep(0.002)

    def _patience_s(self) -> float:
        return max(3 * self.worth_s, _TO_EARN_TRUST_S) if self.kind == "confirm" and not self.tried else self.worth_s

    def _known_s(self) -> float:
        """What the last proof of the entry took: one that is broken off before that costs as much, and is for nothing."""
        return self.entry.proof_ns / 1e9 if self.entry is not None else 0.0

    def used_s(self) -> float:
        """Seconds of processor time that the children have had, as far as they are there."""
        fields = [told.rpartition(b")")[2].split() for told in self._told_of("stat")]
        return sum(int(each[11]) + int(each[12]) for each in fields) / os.sysconf("SC_CLK_TCK")

    def queued_s(self) -> float:
        """Seconds that they have been ready to run without a processor; 0 where the kernel does not say."""
        return sum(int(told.split()[1]) for told in self._told_of("schedstat")) / 1e9

    def _told_of(self, name: str) -> "Iterator[bytes]":
        for pid in work.numbers(self.region):
            try:
                with open(f"/proc/{pid}/{name}", "rb") as file:
                    told = file.read()
            except OSError as error:
                if is_theirs(error):
                    raise
            else:
                yield told

    def _hurry(self) -> None:
        """At normal priority, again and again, since each child takes the lowest when it begins."""
        for pid in work.numbers(self.region):
            try:
                os.sched_setscheduler(pid, os.SCHED_OTHER, os.sched_param(0))
            except OSError as error:
                if is_theirs(error):
                    raise

    def give_up(self, why: "str | None" = None) -> None:
        """Ends a child whose verdict nobody waits for any more."""
        if self.is_open():
            self._end_child()
            self._decide(work.FAILED, why or self._why_none)
        sandbox.disown(self._address)

    def withdraw(self) -> None:
        """There is nothing to prove: whatever the child found or finds, it is no verdict."""
        with self._deciding:
            self.verdict = self.region[0] = self.verdict or work.FAILED
        self._owner.settled()
        self._end_child()
        sandbox.disown(self._address)

    def _end_child(self) -> None:
        for pid in work.numbers(self.region):
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError as error:
                if is_theirs(error):
                    raise


class _Share:
    """What the children of a proof get of the processors, from now on."""

    def __init__(self, proof: "ProofChild") -> None:
        self._proof = proof
        self._used, self._queued = proof.used_s(), proof.queued_s()

    def had_s(self) -> float:
        """Seconds of processor time, as on a machine of their own: where others use the processors, caches and the other half of a
        core are theirs as well, and the same work takes more of it, up to as many times as it takes longer."""
        used, queued = self._proof.used_s() - self._used, self._proof.queued_s() - self._queued
        return used / max(1.0, min(_BUSY, 1 + queued / used)) if used > 0 else 0.0


class _Stillness:
    """Whether all children together have used no processor time for a while; some wait for others' turns. used_s(): so far."""

    def __init__(self, used_s: "Callable[[], float]") -> None:
        self._used_s = used_s
        self._last, self._since = used_s(), time.monotonic()

    def is_reached(self) -> bool:
        used, now = self._used_s(), time.monotonic()
        if used != self._last:
            self._last, self._since = used, now
        return now - self._since > _STILL_S


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
            return self._hindrance()
        except Exception as error:
            if is_theirs(error):
                raise
            return f"{type(error).__name__}: {error}"

    def never(self) -> "str | None":
        """Why no proof can be begun in this process any more, in words, or None: what would be learned could never be answered."""
        return BESIDE_A_DEVICE if _accelerators() else None

    def _hindrance(self) -> "str | None":
        self._leave_no_process()
        if self._registered is None:
            return "what runs at forks could not be found out"
        if len(os.sched_getaffinity(0)) < 2 and not self._one_cpu:
            return "there is one processor only"
        never = self.never()
        if never is not None:
            return never
        under_way = [proof for proof in self._all if proof.is_open()]
        if len(under_way) >= MOST and self._waits_s is not None:
            under_way[0].wait(self._waits_s)
        elif len(under_way) >= MOST:
            return f"{MOST} proofs are under way, and no more are begun before one of them ends"
        foreign = fork.foreign(self._registered, self._run)
        if foreign is not None:
            return "the program has functions that run when it forks"
        if signal.getsignal(signal.SIGCHLD) not in (signal.SIG_DFL, signal.SIG_IGN) or signal.SIGCHLD in signal.pthread_sigmask(
                signal.SIG_BLOCK, ()):
            return "the program looks after its children's signals"
        if waiters.wait_for_any():
            return "a thread of the program waits for any of its children"
        if os.getpid() == 1:
            return "it is the first process of its container"
        if fork.takes_orphans():
            return "the program is given the processes whose parents have ended"
        if fork.names_processes_anew():
            return "the program's next child is to be the first process of its namespace"
        sandbox.check()
        return None

    def begin(self, job: "work.Job", kind: str, entry: "FunctionEntry | None", worth_ns: int, tried: bool = False,
              differs: "Sequence[str]" = ()) -> "ProofChild":
        """Forks the child that does the job; the ProofChild, which says what the rest is. Raises OSError or sandbox.Unavailable."""
        job.program, job.is_answer = os.getpid(), kind == "replay"
        self._run.beside.complete()  # no child has the thread that does it
        earlier = [proof.region for proof in self._all if proof.is_open()]
        region = mmap.mmap(-1, work.SIZE)
        sandbox.own(_address(region), work.SIZE)
        shared = sandbox.shared_now()
        try:
            let_go = fork.detached(self._registered, bool(others.threads()), sandbox.close_all)
        except BaseException:  # what a signal's handler raises comes when there is a child
            region[0] = work.FAILED
            sandbox.disown(_address(region))
            raise
        if let_go == 0:
            work.do(job, region, earlier, self._registered, shared)
        proof = ProofChild(self, region, let_go, kind, entry, job.name, worth_ns, tried, differs)
        proof.title = _title(job)
        self._all.append(proof)
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


def _accelerators() -> "set[str]":
    """Types of the devices that are no CPU, as far as TensorFlow has looked for them."""
    context = getattr(sys.modules.get("tensorflow.python.eager.context"), "_context", None)
    return {device.device_type for device in getattr(context, "_logical_devices", None) or ()} - {"CPU"}


def _registered(run: "Any") -> "Any":
    """The interpreter's list of what runs in forked children; the agent's own function is in it."""
    return getattr(run, "fork_handlers", None)


def _address(region: "Region") -> int:
    import ctypes

    return ctypes.addressof(ctypes.c_char.from_buffer(region))
