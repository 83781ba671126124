"""No garbage collection while libraries are imported, and no full one until ready; the program's own settings stay visible.

Each time the youngest generation is due within the import of a library, the objects made so far are moved to the oldest
generation without being looked at (freeze and unfreeze: constant time), so that no collection does work there, but where
untracked() says otherwise. While the program's own code runs, what is young is collected as plainly: the garbage may
hold files, and tell when it goes. `gc.isenabled`, `enable`, `disable` and `collect` are untouched; `get_threshold` answers
with the program's thresholds. All this ends at ready, in a fork, after TIME_LIMIT_NS, when the resident memory was above
1.1 times what the plain (learning) run had at its peak, and when the program sets thresholds or freezes: from then on it
has a policy of its own. Memory is looked at as often as the plain run would collect: no more garbage can gather between
two looks than gathers there, however large the objects are. All of that is done by C functions
(firststep_agent/collector.py).
"""

import gc
from _functools import partial
from _operator import and_, itemgetter, methodcaller, or_
from itertools import chain, repeat, takewhile

from firststep_agent import collector
from firststep_agent.as_found import os
from firststep_agent.boost.program import description, program_key
from firststep_agent.boost.store import store_for
from firststep_agent.clock import now
from firststep_agent.descriptors import open_own
from firststep_agent.dressing import leave_no_frame, stand_in_c
from firststep_agent.imports import LibraryImports
from firststep_agent.ownership import is_library
from firststep_agent.plain_json import dumps, loads
from firststep_agent.pythons_own import pythons_own
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from firststep_agent.boost.store import Store

ID = "pause-garbage-collection"
TIME_LIMIT_NS = 180 * 10**9
MEMORY_LIMIT = 1.1  # of the plain run's peak
INHERITED = 64 << 20  # bytes above that limit which the process may have had before it became this program
NEVER = 2**31 - 1  # a threshold
KIBIBYTE = 1024  # the unit of ru_maxrss
_AUTOMATIC = [{"generation": young, "collected": 0, "uncollectable": 0} for young in (0, 1)]  # what one that was due says at its start
_called = methodcaller("__call__")

_pause = None  # of this process


def start(run: "Any", settings: "dict[str, Any]") -> None:
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
        return
    limit = int(plain["peak"] * MEMORY_LIMIT)
    reason = _unbounded(limit)
    if reason:
        run.note(ID, "refused", reason=reason)
        return
    global _pause
    _pause = _Pause(run, max(limit, _highest()), plain["collector_ns"])
    _pause.begin()


def _unbounded(limit: int) -> "str | None":
    """In words why the memory that a pause takes could not be kept within bounds, None where it can."""
    resource = pythons_own("resource")
    for name in ("RLIMIT_AS", "RLIMIT_DATA"):
        if resource.getrlimit(getattr(resource, name))[0] != resource.RLIM_INFINITY:
            return "memory is limited (ulimit): there might be none for garbage"
    if _highest() > limit + INHERITED:
        return "what started this process had more memory than the program takes: its own cannot be told from that"
    return None


def _highest() -> int:
    """The highest resident bytes so far of this process, or of the one that became it."""
    resource = pythons_own("resource")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KIBIBYTE  # type: ignore[no-any-return]


def untracked(work: "Callable[[], None]") -> None:
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


def _plain_run(store: "Store", key: str) -> "dict[str, int] | None":
    entry = store.read(key)
    if entry is None:
        return None
    entry.close()
    return loads(entry.body.decode("ascii"))  # type: ignore[no-any-return]


def _learn(run: "Any", store: "Store", key: str) -> None:
    """Keeps the plain run's peak of resident memory and what the collector cost it."""
    cost = collector.CollectorCost()
    pid = os.getpid()
    done: list = []

    def learn():
        if done or os.getpid() != pid:
            return
        done.append(True)
        spent = cost.end()
        peak = _peak()
        if peak:
            body = dumps({"peak": peak, "collector_ns": spent}).encode("ascii")
            reason = store.write(key, description(), body)
            run.note(ID, "refused" if reason else "learned", **({"reason": reason} if reason else {"peak": peak}))

    cost.begin()
    run.on_ready(learn)
    run.on_exit(learn)


class _Looks(chain):
    """What is done each time that the collector starts."""

    start = property(next)


class _Pause:
    def __init__(self, run: "Any", limit: int, plain_cost_ns: int) -> None:
        self._run = run
        self._limit = limit
        self._plain_cost_ns = plain_cost_ns
        self._theirs = gc.get_threshold()
        self._frozen = gc.get_freeze_count()  # the interpreter's own, which may live in the oldest generation as well
        self._began = now()
        self._active = False
        self._over: list = []  # not empty when the limit was met
        self._set_threshold = gc.set_threshold
        self._freeze = gc.freeze
        self._unfreeze = gc.unfreeze
        self._imports = LibraryImports(is_library)
        infos = collector.Infos()
        self._callbacks = collector.keep_infos(infos), collector.at_each(self._looks(infos))

    def _looks(self, infos: "collector.Infos") -> "chain[Any]":
        """At each collection that was due: moves what is young within a library's import, until the limit is met; then collects all
        there is, once."""
        resource = pythons_own("resource")
        interval = self._theirs[0]
        resident = map(itemgetter(2), iter(partial(resource.getrusage, resource.RUSAGE_SELF), None))
        too_large = map((self._limit // KIBIBYTE).__lt__, resident)
        too_late = map((self._began + TIME_LIMIT_NS).__lt__, iter(now, None))
        within = takewhile((False).__eq__, map(or_, too_large, too_late))
        at_the_limit = map(_called, (  # the second collection from here on is a full one
            partial(list, map(_called, (partial(self._over.append, True), partial(self._set_threshold, interval, 0, 0)))),
            bool,
            partial(self._set_threshold, *self._theirs)))
        moves = zip(within, self._in_imports(self._freeze), self._in_imports(self._unfreeze))
        look = partial(next, chain(moves, at_the_limit, repeat(None)))
        said = map(_AUTOMATIC.__contains__, iter(infos.pop, None))
        counted = map(interval.__le__, map(itemgetter(0), iter(gc.get_count, None)))  # else the program asked for it
        due = map(and_, map(and_, said, counted), iter(gc.isenabled, None))
        return _Looks(map(_called, map((bool, look).__getitem__, due)))

    def _in_imports(self, do: "Callable[[], None]") -> "map[Any]":
        """Each item does it where a library is being imported, and nothing elsewhere."""
        inside = iter(partial(self._imports.inside.__getitem__, 0), None)
        return map(_called, map((bool, do).__getitem__, inside))

    def begin(self) -> None:
        self._active = True
        gc.callbacks.extend(self._callbacks)
        self._set_threshold(*self._theirs[:2], NEVER)
        self._run.imports.of_libraries = self._imports
        for name in ("get_threshold", "set_threshold", "freeze"):
            self._run.replace(gc, name, self._disguised(name))
        self._run.on_ready(lambda: self._end("ready"))
        self._run.on_exit(lambda: self._end("exit"))
        self._run.on_fork(self._forked)

    def _disguised(self, name: str) -> "Any":
        """The function of `gc` that the program calls; it goes on working after the pause for who kept it."""
        original = getattr(gc, name)

        def get_threshold(*arguments, **keywords):
            try:
                return self._theirs if self._active and not (arguments or keywords) else original(*arguments, **keywords)
            except BaseException as error:
                leave_no_frame(error)
                raise

        def set_threshold(*arguments, **keywords):
            try:
                self._end("the program sets the collector's thresholds")
                return original(*arguments, **keywords)
            except BaseException as error:
                leave_no_frame(error)
                raise

        def freeze(*arguments, **keywords):
            try:
                self._end("the program freezes the collector's objects")
                return original(*arguments, **keywords)
            except BaseException as error:
                leave_no_frame(error)
                raise

        return stand_in_c(original, locals()[name])

    def untracking(self, on: bool) -> None:
        """on: collections of what is young from now on do their work; off: they do none any more."""
        if self._active and not self._over:
            self._age()
            collector.remove(*self._callbacks)
            if not on:
                gc.callbacks.extend(self._callbacks)

    def _age(self) -> None:
        """Moves all young objects to the oldest generation, unless the program has frozen some for good."""
        if gc.get_freeze_count() <= self._frozen:
            self._freeze()
            self._unfreeze()

    def _end(self, why: str) -> None:
        if not self._active:
            return
        self._stop()
        if self._over:
            self._set_threshold(*self._theirs)
            self._run.note(ID, "live", ended=("memory is a tenth above the plain run's" if _highest() > self._limit
                                              else "its time limit"))
            return
        labels = {"ended": why, "paused_ns": now() - self._began}
        if why in ("ready", "exit"):
            self._age()  # what a collector that had run would have done with them
            labels["saved_ns"] = self._plain_cost_ns
        self._set_threshold(*self._theirs)
        self._run.note(ID, "live", **labels)

    def _forked(self) -> None:
        if self._active:
            self._stop()
            self._set_threshold(*self._theirs)

    def _stop(self) -> None:
        self._active = False
        self._run.imports.of_libraries = None
        collector.remove(*self._callbacks)


def _peak() -> "int | None":
    """The highest resident bytes so far, None where the system does not say."""
    try:
        with open_own("/proc/self/status", os.O_RDONLY) as file:
            for line in os.pread(file.number(), 8192, 0).splitlines():
                if line.startswith(b"VmHWM:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError) as error:
        if is_theirs(error):
            raise
    return None
