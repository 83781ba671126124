"""The child that proves one answer, as the process sees it that has begun it: its verdict, and how long that is waited for.

The verdict stands in memory that both share, so that looking at it costs the program nothing.
"""

import signal
import threading

from firststep_agent import clock
from firststep_agent.as_found import open, os, time
from firststep_agent.boost.cache_functions.proof import sandbox, work
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from mmap import mmap as Region
    from typing import Any

    from firststep_agent.boost.cache_functions.keep.entries import FunctionEntry
    from firststep_agent.boost.cache_functions.proof.watch import Proofs

AGAIN = "The stored function is never used again: start the program once more, it will be traced plainly"
NO_PROCESS = "no process could be made that proves it"
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
        self._address = address(region)
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


def address(region: "Region") -> int:
    import ctypes

    return ctypes.addressof(ctypes.c_char.from_buffer(region))
