"""No garbage collection until ready; the program's own settings stay visible and come back exactly.

The youngest generation's threshold is raised so far that, each time it is reached, the objects made so far
are moved to the oldest generation without being looked at (freeze and unfreeze: constant time), so that no
collection ever does work, but where untracked() says otherwise. `gc.isenabled`, `enable`, `disable` and
`collect` are untouched; `get_threshold` answers with the program's thresholds. The pause ends at ready, in a
fork, after TIME_LIMIT_NS, when the resident memory is above 1.1 times what the plain (learning) run had at its
peak, and when the program sets thresholds or freezes: from then on it has a policy of its own.
"""

import gc
import os

from firststep_agent.boost.program import description, program_key
from firststep_agent.boost.store import store_for
from firststep_agent.clock import now
from firststep_agent.descriptors import Own, open_own
from firststep_agent.plain_json import dumps, loads

ID = "pause-garbage-collection"
INTERVAL = 25_000  # net allocations of containers between two looks at the clock and at memory
SLACK = 100  # allocations undone between the moment the collector is due and its beginning
TIME_LIMIT_NS = 180 * 10**9
_PAGE = os.sysconf("SC_PAGE_SIZE")
MEMORY_LIMIT = 1.1  # of the plain run's peak

_pause = None  # of this process


def start(run, settings):
    if gc.get_threshold()[0] == 0 or not gc.isenabled():
        run.note(ID, "refused", reason="the program starts with a collector that is not at its defaults")
        return
    store = store_for(run, ID)
    if store is None:
        return
    key = program_key()
    plain = _plain_run(store, key)
    if plain is None:
        _learn(run, store, key)
    else:
        global _pause
        _pause = _Pause(run, plain["peak"] * MEMORY_LIMIT, plain["collector_ns"])
        _pause.begin()


def untracked(work):
    """Calls work(), which makes code beside the main thread; what it makes is looked at by the collector.

    The collector takes tuples without containers off its lists when it first sees them. A start has 150,000 of them, in
    code. If nobody looked, every later collection would walk them, those at the program's end among them.
    """
    if _pause is None:
        work()
        return
    _pause.untracking(True)
    try:
        work()
    finally:
        _pause.untracking(False)


def _plain_run(store, key):
    entry = store.read(key)
    if entry is None:
        return None
    entry.close()
    return loads(entry.body.decode("ascii"))


def _learn(run, store, key):
    """Keeps the plain run's peak of resident memory and what the collector cost it."""
    spent = [0, 0]  # ns begun at, ns in all

    def watch(phase, info):
        if phase == "start":
            spent[0] = now()
        else:
            spent[1] += now() - spent[0]

    pid = os.getpid()
    done: list = []

    def learn():
        if done or os.getpid() != pid:
            return
        done.append(True)
        if watch in gc.callbacks:
            gc.callbacks.remove(watch)
        peak = _peak()
        if peak:
            body = dumps({"peak": peak, "collector_ns": spent[1]}).encode("ascii")
            reason = store.write(key, description(), body)
            run.note(ID, "refused" if reason else "learned", **({"reason": reason} if reason else {"peak": peak}))

    gc.callbacks.append(watch)
    run.on_ready(learn)
    run.on_exit(learn)


class _Pause:
    def __init__(self, run, limit, plain_cost_ns):
        self._run = run
        self._limit = limit
        self._plain_cost_ns = plain_cost_ns
        self._theirs = gc.get_threshold()
        self._interval = max(INTERVAL, self._theirs[0])
        self._frozen = gc.get_freeze_count()  # the interpreter's own, which may live in the oldest generation as well
        self._memory = _Memory()
        self._began = now()
        self._active = False
        self._untracks = self._at_work = False
        self._get_threshold = gc.get_threshold
        self._set_threshold = gc.set_threshold
        self._freeze = gc.freeze
        self._unfreeze = gc.unfreeze

    def begin(self):
        self._active = True
        gc.callbacks.append(self._look)
        self._set_threshold(self._interval, *self._theirs[1:])
        for name in ("get_threshold", "set_threshold", "freeze"):
            self._run.replace(gc, name, self._disguised(name))
        self._run.on_ready(lambda: self._end("ready"))
        self._run.on_exit(lambda: self._end("exit"))
        self._run.on_fork(self._forked)

    def _disguised(self, name):
        """The function of `gc` that the program calls; it goes on working after the pause for who kept it."""
        original = getattr(gc, name)

        def get_threshold():
            return self._theirs if self._active else original()

        def set_threshold(*thresholds):
            self._end("the program sets the collector's thresholds")
            return original(*thresholds)

        def freeze():
            self._end("the program freezes the collector's objects")
            return original()

        function = locals()[name]
        function.__doc__ = original.__doc__
        function.__module__ = "gc"
        function.__qualname__ = name
        return function

    def _look(self, phase, info):
        """Called as a collection of the young generation begins, and as it ends."""
        if phase == "stop":
            if self._at_work:
                self._at_work = False
                self._age()
            return
        if not self._active or gc.get_count()[0] < self._interval - SLACK:
            return  # too few for the collector to begin by itself: the program asked for it
        if now() - self._began > TIME_LIMIT_NS:
            self._end("its time limit")
        elif self._memory.resident() > self._limit:
            self._end("memory is a tenth above the plain run's")
        elif self._untracks:
            self._at_work = True
        else:
            self._age()

    def untracking(self, on):
        """on: collections of what is young from now on do their work; off: they do none any more."""
        if self._active:
            self._age()
            self._untracks = on

    def _age(self):
        """Moves all young objects to the oldest generation, unless the program has frozen some for good."""
        if gc.get_freeze_count() <= self._frozen:
            self._freeze()
            self._unfreeze()

    def _end(self, why):
        if not self._active:
            return
        self._stop()
        labels = {"ended": why, "paused_ns": now() - self._began}
        if why in ("ready", "exit"):
            self._age()  # what a collector that had run would have done with them
            labels["saved_ns"] = self._plain_cost_ns
        self._set_threshold(*self._theirs)
        self._run.note(ID, "live", **labels)

    def _forked(self):
        if self._active:
            self._stop()
            self._set_threshold(*self._theirs)

    def _stop(self):
        self._active = False
        self._memory.close()
        if self._look in gc.callbacks:
            gc.callbacks.remove(self._look)


class _Memory:
    """Resident bytes of this process. The file stays open: no look opens one that the program could see."""

    def __init__(self):
        try:
            self._file: Own | None = open_own("/proc/self/statm", os.O_RDONLY)
        except OSError:
            self._file = None

    def resident(self):
        """0 where the system does not say."""
        try:
            return 0 if self._file is None else int(os.pread(self._file.number(), 100, 0).split()[1]) * _PAGE
        except (OSError, ValueError, IndexError):
            return 0

    def close(self):
        if self._file is not None:
            self._file.close()


def _peak():
    """The highest resident bytes so far, None where the system does not say."""
    try:
        with open("/proc/self/status", "rb") as file:
            for line in file:
                if line.startswith(b"VmHWM:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return None
