"""The learning run: traces as ever, and keeps what can be kept, off the program's path."""

import collections
import threading

from firststep_agent import clock
from firststep_agent.boost.cache_functions import ID, by_content, canonical, learning, outputs, paths, record, speech
from firststep_agent.boost.cache_functions.store import PER_KEY

_WORTH_NS = 10_000_000  # a function of tf.data is not optimised by TensorFlow's first call: its trace is all that is saved
_WAIT_S = 1.0  # after ready, so that the first steps of a learning run are not slowed by its writing


class Teacher:
    """Learns the traces of one process."""

    def __init__(self, run, kept, refusals, create):
        self._run = run
        self._store = kept
        self._refusals = refusals
        self._create = create
        self.by_content = by_content.ByContent(run, kept, refusals, self.keep)
        self._waiting: collections.deque = collections.deque()  # Records whose first call has been made
        self._wake = threading.Event()
        self._writer = None
        self._leaving = threading.Event()
        self._wrote = False
        run.on_ready(self._start_writer)
        run.on_exit(self._write_rest)
        run.on_fork(self._after_fork)

    def trace(self, asked, found):
        """The concrete function, traced plainly; armed to be recorded where it can be kept.

        `found` says why stored entries did not hold, or which of them is to be compared with this trace.
        """
        from firststep_agent.boost.cache_functions import dependencies

        if sum(primary == asked.primary for primary, _, _ in tuple(self._waiting)) >= PER_KEY:  # a loop makes it anew each time
            return self._create(asked.function_type, asked.type_context, asked.func_graph, asked.options)
        learned = learning.Learning(asked.function, paths.finder(asked.function))
        learner = dependencies.learn(asked.function)
        with learner:
            before = clock.now()
            with learned, learned.speech:
                traced = learned.trace(self._create, asked.function_type, asked.type_context, asked.func_graph,
                                       asked.options)
            spent = clock.now() - before
        try:
            if found.doubted is not None and self._agrees(asked, traced, found.doubted):
                return traced
            if learned.refused:
                raise record.Refused(learned.refused)
            learned.speech.check()
            if asked.data is not None and spent < _WORTH_NS:
                raise record.Refused("it is traced faster than it could be looked up")
            self._arm(asked, learned, traced, learner, spent, found.reason)
        except (record.Refused, dependencies.Refused, outputs.NotEncodable, speech.Unrepeatable) as error:
            if not isinstance(error, dependencies.Passing):
                self._refusals.refuse(asked.primary, str(error))
            self._run.note(ID, "refused", function=asked.name, reason=str(error))
            self.by_content.watch(traced)
        except Exception as error:
            self._run.note(ID, "error", function=asked.name, reason=f"{type(error).__name__}: {error}")
        else:
            if found.reason is not None:
                self._run.note(ID, "refused", function=asked.name, reason=f"it is learned anew: {found.reason}")
        return traced

    def _agrees(self, asked, traced, entry):
        """Compares an entry that holds with a fresh trace; one that disagrees is never used again."""
        if canonical.digest(traced._inference_function) == entry.header["canonical"]:
            self._run.note(ID, "checked", function=asked.name)
            return True
        self._store.quarantine(entry)
        self._run.note(ID, "error", function=asked.name, reason="its stored graph disagreed with a fresh trace although "
                       "nothing that is watched had changed: the entry is quarantined")
        return False

    def _arm(self, asked, learned, traced, learner, spent, missed):
        header = {
            "function": asked.name, "signature": asked.signature, "manifest": learner.manifest(learned.built),
            "builds": learned.recipes, "names": learned.names, "training": learned.training, "trace_ns": spent,
            "said": learned.speech.said, "loggers": learned.speech.asked,
            "element": None if asked.data is None else asked.data.element(),
        }
        recorded = record.Record(traced, learned, header, lambda r: self.keep(asked.primary, r, missed))
        if asked.data is None:
            recorded.arm()
        else:
            recorded.keep_as_traced()

    def keep(self, primary, recorded, missed=None):
        """Writes the entry of a Record later. missed: why the entries that were there did not hold."""
        self._waiting.append((primary, missed, recorded))
        self._wake.set()

    # --- writing ---------------------------------------------------------------------------------------------

    def _start_writer(self):
        self._writer = threading.Thread(target=self._write_later, name="firststep-cache-functions", daemon=True)
        self._writer.start()

    def _write_later(self):
        while not self._leaving.is_set():
            self._wake.wait()
            self._wake.clear()
            if not self._leaving.wait(_WAIT_S):
                self._write_all()

    def _write_all(self):
        while self._waiting and not self._leaving.is_set():
            self._write_one()

    def _write_rest(self):
        self._leaving.set()
        self._wake.set()
        if self._writer is not None:
            self._writer.join()
        while self._waiting:
            self._write_one()
        self._refusals.write()
        if self._wrote:
            self._store.collect()

    def _write_one(self):
        primary, missed, recorded = self._waiting.popleft()
        try:
            entry = recorded.entry()
            entry.path = self._store.write(primary, entry)
            self._wrote = True
            self._refusals.learned(primary, missed)
            recorded.written = lambda: self._take_back(primary, entry, recorded.name)
            if recorded.used_inside:
                recorded.written()
            if recorded.is_told:
                self._run.note(ID, "learned", function=recorded.name)
        except record.Refused as error:
            if not isinstance(error, record.Passing):
                self._refusals.refuse(primary, str(error))
            if recorded.is_told:
                self._run.note(ID, "refused", function=recorded.name, reason=str(error))
        except Exception as error:
            self._run.note(ID, "error", function=recorded.name, reason=f"{type(error).__name__}: {error}")

    def _take_back(self, primary, entry, name):
        self._store.quarantine(entry)
        self._refusals.take_back(primary, record.USED_INSIDE)
        self._run.note(ID, "refused", function=name, reason=record.USED_INSIDE)

    def _after_fork(self):
        """The child has no writer thread, and what waits is the parent's to write."""
        self._waiting.clear()
        self._wake = threading.Event()
        self._writer = None
