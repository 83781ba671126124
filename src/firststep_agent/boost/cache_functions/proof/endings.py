"""Ways out of the process that pass no end of Python's: from an answer to its verdict they wait for that."""

import os
import posix

from firststep_agent.dressing import leave_no_frame, stand_in_c
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

NAMES = ("_exit", "execv", "execve")
IN_CHILDREN = ("_exit",)  # of the program: what one of those executes is a helper of its own, if it has no answers but its parent's
UNTIL = "verdicts"


class Endings:
    """Those of one run. settle(): waits for the verdicts; answers(): whether this process has answered itself, and has no verdict yet."""

    def __init__(self, run: "Any", settle: "Callable[[], None]", answers: "Callable[[], bool]") -> None:
        self._run = run
        self._settle = settle
        self._answers = answers
        self._pid = os.getpid()
        self._stand = False

    def watch(self) -> None:
        """From now on they wait."""
        if self._stand:
            return
        self._stand = True
        for name in NAMES:
            for module in (posix, os):
                original = getattr(module, name)
                self._run.replacements.put(module, name, stand_in_c(original, self._after(name, original)), UNTIL)

    def leave(self) -> None:
        """There is nothing to wait for."""
        if self._stand:
            self._stand = False
            self._run.replacements.leave(UNTIL)

    def _after(self, name: str, original: "Callable[..., Any]") -> "Callable[..., Any]":
        def stand_in(*arguments, **keywords):
            if name in IN_CHILDREN or os.getpid() == self._pid or self._answers():
                try:
                    self._settle()
                except BaseException as error:
                    if not is_theirs(error):
                        self._run.failed(f"{name} after an answer", error)
                    elif name != "_exit":  # by which it would be gone
                        leave_no_frame(error)
                        raise
            try:
                return original(*arguments, **keywords)
            except BaseException as error:
                leave_no_frame(error)
                raise

        return stand_in
