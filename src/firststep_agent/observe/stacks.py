"""Stacks of Python's threads, taken by another thread while they run, the collector runs and objects are finalised.

What takes one is a chain of C functions, from asking for the frame to letting go of the last one: no other thread can
run in between, so the frames that are walked stay where they are.
"""

import gc
import sys
from _functools import partial
from _operator import attrgetter, methodcaller
from itertools import accumulate, chain, islice, repeat, takewhile

from firststep_agent.clock import now, thread_time_ns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType
    from typing import Any

    Stack = list[tuple[CodeType, int]]  # (code, instruction), innermost first

DEEPEST = 250  # frames of a stack that are kept
_CODE_AND_INSTRUCTION = attrgetter("f_code", "f_lasti")
_call = methodcaller("__call__")
_gc_disable, _gc_enable, _gc_isenabled = gc.disable, gc.enable, gc.isenabled


def stack(thread: int) -> "Stack":
    """Of a thread; empty where it has ended."""
    return _taken(_uncollected(_frames_of(thread))())


def after(wait: "Callable[[], bool]", thread: int) -> "tuple[bool, int, int, Stack]":
    """(what the wait ends with, the moment, ns that this thread has worked, the other's stack then), in one chain with the wait: whoever
    waits for Python's lock has it back at once otherwise, where turns are short, and is seen later."""
    ended, at, worked, found = list(map(_call, (wait, now, thread_time_ns, _uncollected(_frames_of(thread)))))
    return ended, at, worked, _taken(found)


def threads() -> "list[int]":
    """Those that run Python, or have called C from it."""
    return _taken(_uncollected(partial(list, chain.from_iterable(islice(iter(sys._current_frames, None), 1))))())


def line(code: "CodeType", instruction: int) -> int:
    """The line of an instruction; 0 where it has none."""
    if hasattr(code, "co_lines"):
        return next((line for start, end, line in code.co_lines() if start <= instruction < end), None) or 0
    address, line = 0, code.co_firstlineno  # Python 3.9
    for step, change in zip(code.co_lnotab[::2], code.co_lnotab[1::2]):
        address += step
        if address > instruction:
            break
        line += change - 256 if change >= 128 else change
    return line


def _frames_of(thread: int) -> "Callable[[], list[Any]]":
    frame_of_thread = methodcaller("get", thread)
    innermost = islice(map(frame_of_thread, iter(sys._current_frames, None)), 1)
    outward = accumulate(chain(innermost, repeat("f_back", DEEPEST - 1)), getattr)
    taken: Callable[[], list[Any]] = partial(list, map(_CODE_AND_INSTRUCTION, takewhile(bool, outward)))
    return taken


def _uncollected(take: "Callable[[], list[Any]]") -> "Callable[[], list[Any]]":
    """A function of C: take(), during which no garbage is collected, in the middle of what it gives.

    Python 3.11 makes a frame's object when it is asked for, and may collect garbage in the middle of that: a finaliser
    that lets another thread run then leaves an object of a frame that has ended, and reading it crashes. Later versions
    collect between instructions only; earlier ones make the object with the frame. Asking whether the collector is on,
    turning it off and on again are part of the one chain: the program never sees it off, and its own setting stays.
    """
    alone: Callable[[], list[Any]] = partial(list, map(_call, (take,)))
    if sys.version_info[:2] != (3, 11):
        return alone
    guarded = partial(list, map(_call, (_gc_disable, take, _gc_enable)))
    choose = (alone, guarded).__getitem__
    chosen: Callable[[], list[Any]] = partial(next, map(_call, map(choose, map(_call, (_gc_isenabled,)))))
    return chosen


def _taken(results: "list[Any]") -> "list[Any]":
    """Of a function that `_uncollected` has made: what it took."""
    taken: list[Any] = results[len(results) // 2]
    return taken
