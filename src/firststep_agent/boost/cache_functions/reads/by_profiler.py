"""What runs, as the profiler of Python up to 3.11 sees it, in C: it costs a fraction of what a hook in Python would.

It keeps a stack of the calls that are under way, which `disable` empties: what a function then called that was under way would have
no caller. So it is paused by another profiler in its place, which is disabled: that leaves it the stack, with two calls on it that do not
return, and it goes on in two functions that return and were not called.
"""

import sys

from firststep_agent.pythons_own import pythons_own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any


_kept: "list[Any]" = []  # that the program has put another in the place of: when one goes, it ends whatever profiles


class ByProfiler:
    """Looks from the moment it is made."""

    def __init__(self) -> None:
        made = pythons_own("_lsprof").Profiler
        self._profiler = made(subcalls=True, builtins=True)
        self._other = made()
        self._paused = 0
        self._profiler.enable()

    def pause(self) -> None:
        """Until `go_on`, which has to be called by the same function, or by one in its place."""
        self._paused += 1
        if self._paused == 1 and self.is_there():
            self._other.enable()
            self._other.disable()

    def go_on(self) -> None:
        """Ends the last pause."""
        self._enable()

    def _enable(self) -> None:
        self._paused -= 1
        if not self._paused and sys.getprofile() is None:
            self._profiler.enable()

    def is_there(self) -> bool:
        """False where the program has set a profiler meanwhile, or none: that stays."""
        return sys.getprofile() is self._profiler

    def end(self) -> "tuple[list[CodeType], dict[int, list[CodeType | str]], dict[str, list[CodeType]]]":
        """What was seen, as `Executed` tells it."""
        if self.is_there():
            self._profiler.disable()
        else:
            _kept.append(self._profiler)
        codes, calls, native = [], {}, {}
        for entry in self._profiler.getstats():
            if isinstance(entry.code, str):
                native[entry.code] = [sub.code for sub in entry.calls or () if not isinstance(sub.code, str)]
                continue
            codes.append(entry.code)
            if entry.calls:
                calls[id(entry.code)] = [sub.code for sub in entry.calls]
        return codes, calls, native
