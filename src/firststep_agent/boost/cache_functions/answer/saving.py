"""What an answer has saved. It is known when the first call is over: the optimiser ran in the one that was learned from, but both
executed the graph, and prepared its kernels."""

from firststep_agent import clock
from firststep_agent.boost.cache_functions.keep.header import OPTIMISED
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from firststep_agent.boost.cache_functions.keep.entries import FunctionEntry


class SavingNote:
    """Tells once. note: takes nanoseconds; spent_ns: what the look-up took."""

    def __init__(self, entry: "FunctionEntry", spent_ns: int, note: "Callable[[int], Any]") -> None:
        self._header = entry.header
        self._spent_ns = spent_ns
        self._told = [note]

    def call(self, execute: "Callable[[], Any]") -> "Any":
        """execute(), the first."""
        before = clock.now()
        try:
            return execute()
        finally:
            self._tell(self._header.first_call_ns - (clock.now() - before) if self._header.form == OPTIMISED else 0)

    def without_call(self) -> None:
        """No call of it is known to follow."""
        self._tell(0)

    def _tell(self, call_ns: int) -> None:
        try:
            if self._told:
                self._told.pop()(max(0, self._header.trace_ns + max(0, call_ns) - self._spent_ns))
        except Exception as error:  # the program's call has been made: it goes on, untold
            if is_theirs(error):
                raise
