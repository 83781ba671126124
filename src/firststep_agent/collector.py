"""Callbacks of the garbage collector that run no bytecode.

Python runs a signal's handler between two instructions of whatever the main thread executes. In a callback of the
collector written in Python, what the handler raises would be printed and lost, where plainly it would end the program's
wait or loop. So the callbacks are made of C functions: no handler can run in between, and nothing in them fails.
The collector calls them with (phase, info); phase, "start" or "stop", is taken for the name of an attribute.
"""

import gc
import sys
from _collections import deque  # type: ignore[import-not-found]
from _functools import partial
from _operator import and_, attrgetter, gt, is_, itemgetter, or_
from _thread import get_ident
from itertools import accumulate, cycle, repeat

from firststep_agent.clock import now

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Code = tuple[str, tuple[str, ...]]  # its file, and the names in it

# One that is due runs at once before Python 3.12. Since then it runs when the evaluation comes by, where fewer objects may be left: an
# older generation's runs all the same.
_RUNS_LATER = sys.version_info >= (3, 12)
_NO_CODE = (lambda: None).__code__.replace(co_filename="", co_names=())  # the first `compile` of a process takes more than a millisecond


class _Ticks(map):
    """An iterator whose next item is made at each start and stop."""

    start = stop = property(next)


class Infos(list):
    """The info of each start; of each stop as well in `AllInfos`."""

    start = property(None, list.append)
    stop = property(None, is_)  # type: ignore[arg-type]  # nothing


class AllInfos(Infos):
    stop = property(None, list.append)


def at_each(iterator: "Any") -> "Any":
    """A callback that takes the next item of an iterator with the properties `start` or `stop`."""
    return partial(getattr, iterator)


def keep_infos(infos: "Infos") -> "Any":
    """A callback that keeps what the collector says in an Infos."""
    return partial(setattr, infos)


class CollectorWatch:
    """Notes when the collector runs: `runs()` gives and forgets (start ns, end ns, thread, file of the code that asked for it, info of the
    end); for one that nobody asked for the file is None. whose: whether that is wanted. Python tells its audit hooks of the question: one
    that is written in Python lets a signal's handler run there, and what that raises is lost.

    One that was not asked for starts when more objects have been made than the youngest generation's threshold says. Where some of them
    may be gone by then, one that was asked for is one of code that names `collect`.
    """

    def __init__(self, whose: bool = False) -> None:
        self._times: list[tuple[int, int, bool, tuple[int, int, int], tuple[int, int, int], Code]] = []
        self._infos = AllInfos()
        asked = (now, get_ident, gc.isenabled, gc.get_count, gc.get_threshold)
        ticks = _Ticks(self._times.append, zip(*(iter(each, None) for each in asked), _codes() if whose else repeat(("", ()))))
        self._callbacks = at_each(ticks), keep_infos(self._infos)

    def begin(self) -> None:
        gc.callbacks.extend(self._callbacks)

    def end(self) -> None:
        remove(*self._callbacks)

    def runs(self) -> "list[tuple[int, int, int, str | None, dict[str, int]]]":
        whole = min(len(self._times), len(self._infos)) // 2 * 2
        times, infos = self._times[:whole], self._infos[:whole]
        del self._times[:whole], self._infos[:whole]
        return [(times[n][0], times[n + 1][0], times[n][1], _asked(*times[n][2:]), infos[n + 1]) for n in range(0, whole, 2)]


class CollectorCost:
    """What the collector has taken since `begin`: one number, however often it runs."""

    def __init__(self) -> None:
        # A moment less what was kept before: after a start that start less the sum, after a stop the sum. (Python looks for signals
        # where it multiplies integers, not where it subtracts them.)
        self._last_two: Any = deque((0,), 2)
        ticks = _Ticks(self._last_two.append, accumulate(iter(now, None), int.__rsub__))
        self._callback = at_each(ticks)

    def begin(self) -> None:
        gc.callbacks.append(self._callback)

    def end(self) -> int:
        """Nanoseconds."""
        remove(self._callback)
        return int(min(self._last_two))


def _codes() -> "Iterator[Code]":
    """Of the code that runs."""
    frames = map(dict.get, _frames(), iter(get_ident, None))  # a thread of C's has none
    return map(attrgetter("co_filename", "co_names"), map(getattr, frames, repeat("f_code"), repeat(_NO_CODE)))


def _frames() -> "Iterator[dict[int, Any]]":
    """Of all threads; none in Python 3.11 at the end of a collection, and where nobody asked for it.

    That version makes the objects of frames while it holds a lock of the interpreter's, which whoever asks for frames waits for, and may
    collect meanwhile: who asks there, and be it the collector's callback, waits for ever. Nobody asks for such a collection.
    """
    if sys.version_info[:2] != (3, 11):
        return iter(sys._current_frames, None)
    from _operator import call  # type: ignore[attr-defined]

    first = itemgetter(0)
    due = map(gt, map(first, iter(gc.get_count, None)), map(first, iter(gc.get_threshold, None)))
    nobodys = map(or_, map(and_, iter(gc.isenabled, None), due), cycle((False, True)))
    return map(call, map((sys._current_frames, dict).__getitem__, nobodys))


def _asked(enabled: bool, made: "tuple[int, int, int]", thresholds: "tuple[int, int, int]", code: "Code") -> "str | None":
    file, names = code
    return file if not enabled or made[0] <= thresholds[0] and (not _RUNS_LATER or "collect" in names) else None


def remove(*callbacks: "Callable[[str, Any], Any]") -> None:
    """Takes callbacks out, where they are in."""
    for callback in callbacks:
        if callback in gc.callbacks:
            gc.callbacks.remove(callback)
