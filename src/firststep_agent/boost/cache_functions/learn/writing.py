"""What was learned is written off the program's path: after ready by a thread, which ends with it; the rest at exit."""

import collections
import functools
import threading
from _thread import allocate_lock

from firststep_agent.boost.cache_functions import ID
from firststep_agent.boost.cache_functions.proof import work
from firststep_agent.boost.objects.refusal import Passing, Refused
from firststep_agent.signals import is_theirs
from firststep_agent.threads import start_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from firststep_agent.boost.cache_functions.keep.entries import EntryPlace, Functions
    from firststep_agent.boost.cache_functions.keep.pending import Pending
    from firststep_agent.boost.cache_functions.keep.refusal_notes import Refusals
    from firststep_agent.boost.cache_functions.key.ingredients import Key

_WAIT_S = 1.0  # after ready, so that the first steps of a learning run are not slowed by its writing


class Writing:
    """The entries of one process that are to be written."""

    def __init__(self, run: "Any", kept: "Functions", refusals: "Refusals") -> None:
        self._run = run
        self._store = kept
        self._refusals = refusals
        self._waiting: collections.deque = collections.deque()  # Pendings whose first call has been made
        self._is_ready = False
        self._deciding = threading.RLock()  # whether there is a thread; a signal's handler may trace in between
        self._writer: threading.Lock | None = None  # held by the thread
        self._leaving = threading.Event()
        self._wrote = False
        self._earlier: list[dict[str, Any]] | None = None  # what entries said of themselves when this process wrote its first
        run.on_ready(self._ready)
        run.on_exit(self._write_rest)
        run.on_fork(self._after_fork)

    def keep(self, key: "Key", recorded: "Pending", missed: "str | None" = None) -> None:
        """Writes the entry of a Pending later. missed: why the entries that were there did not hold."""
        self._waiting.append((key, missed, recorded))
        if self._is_ready:
            self._start_writer()

    def waiting(self, primary: str) -> int:
        """How many of this first-level key are not written yet."""
        return sum(key.hex == primary for key, _, _ in tuple(self._waiting))

    def _ready(self) -> None:
        self._is_ready = True
        if self._waiting:
            self._start_writer()

    def _start_writer(self) -> None:
        """A thread that `threading` does not know, and so no program that asks for its threads."""
        with self._deciding:
            if self._writer is not None:
                return
            _import_for_thread()
            ended = allocate_lock()
            ended.acquire()
            try:
                start_thread(self._write_later, ended)
            except RuntimeError as error:  # there can be no more threads: it is written at exit
                if is_theirs(error):
                    raise
                return
            self._writer = ended

    def _write_later(self, ended: "threading.Lock") -> None:
        try:
            while not self._leaving.wait(_WAIT_S):
                self._write_all()
                with self._deciding:
                    if not self._waiting:
                        self._writer = None
                        return
        finally:
            ended.release()

    def _write_all(self) -> None:
        while self._waiting and not self._leaving.is_set():
            self._write_one()

    def _write_rest(self) -> None:
        self._leaving.set()
        with self._deciding:
            writer = self._writer
        if writer is not None:
            writer.acquire()
        while self._waiting:
            self._write_one()
        self._refusals.write()
        if self._wrote:
            self._store.prune()

    def _write_one(self) -> None:
        key, missed, recorded = self._waiting.popleft()
        primary = key.hex
        try:
            self._check_proof(recorded)
            entry = recorded.entry()
            told = self._why(recorded.name, key, missed) if recorded.is_told else {}
            self._store.write(key, entry, missed)
            self._wrote = True
            self._refusals.learned(primary, missed)
            recorded.written = functools.partial(self.take_back, entry.place, recorded.name)
            if recorded.used_inside:
                recorded.written(recorded.used_inside)
            if recorded.is_told:
                self._run.note(ID, "learned", function=recorded.name, **told)
        except Refused as error:
            if not isinstance(error, Passing):
                self._refusals.refuse(primary, str(error))
            if recorded.is_told:
                self._run.note(ID, "refused", function=recorded.name, reason=str(error))
        except Exception as error:
            if is_theirs(error):
                raise
            self._run.note(ID, "error", function=recorded.name, reason=f"{type(error).__name__}: {error}")
        finally:
            recorded.let_go()

    def _why(self, name: str, key: "Key", missed: "str | None") -> "dict[str, str]":
        """Why it is learned although earlier starts have kept one of that name, as a label: what differs from theirs."""
        if missed is not None:
            return {"reason": missed}
        from firststep_agent.boost.cache_functions.keep import nearest

        if self._earlier is None:
            self._earlier = list(self._store.described())
        differs = nearest.differences(self._earlier, name, key)
        return {"reason": nearest.words(differs)} if differs else {}

    def _check_proof(self, recorded: "Pending") -> None:
        """Raises Refused where a second trace of the same state, in a child, gave something else."""
        if recorded.proof is None:
            return
        recorded.proof.wait()
        if recorded.proof.verdict == work.DIFFERS:
            raise Refused(f"tracing it twice gives two results: they differ in {recorded.proof.text}")

    def take_back(self, entry: "EntryPlace", name: str, reason: str) -> None:
        """The function is used where an answer would have to be traced for, later than in a plain run."""
        try:
            self._store.quarantine(entry)
            self._refusals.take_back(entry.key, reason)
            self._run.note(ID, "refused", function=name, reason=reason)
        except Exception as error:  # the program is in the middle of a call
            if is_theirs(error):
                raise
            self._run.note(ID, "error", function=name, reason=f"{type(error).__name__}: {error}")

    def _after_fork(self) -> None:
        """The child has no writer thread, and what waits is the parent's to write."""
        self._waiting.clear()
        self._is_ready = False
        self._deciding = threading.RLock()
        self._leaving = threading.Event()  # the thread may have been looking at it
        self._writer = None


def _import_for_thread() -> None:
    """What the thread will need: an import of its own would change `sys.modules` while the program, or a look at it, goes through them."""
    from firststep_agent.boost import upkeep  # noqa: F401
    from firststep_agent.boost.cache_functions.keep import nearest  # noqa: F401
