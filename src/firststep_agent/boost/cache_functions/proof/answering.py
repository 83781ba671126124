"""The child of the child, which does what the answer does, and tells what that leaves behind."""

import functools

from firststep_agent.boost.cache_functions.proof import fork, sandbox
from firststep_agent.boost.cache_functions.proof.letter import Letter
from firststep_agent.forks import leave

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

_STATE = "after the answer"


class Answering:
    """One such process, which ends with the one that begins it. Made before the sandbox."""

    def __init__(self) -> None:
        self._state, self._asked, self._more = Letter(), Letter(), Letter()
        self._number = 0

    def begin(self, registered: "list[Any]", work: "Callable[[], Any]", more: "Callable[[Any], Any]") -> int:
        """Its number. work() gives what it is to tell of the state, more(question) what else, when it is asked. Raises OSError."""
        end = sandbox.EndWith()
        self._number = fork.child(registered)
        if not self._number:
            self.do(end, work, more)
        return self._number

    def do(self, end: "sandbox.EndWith", work: "Callable[[], Any]", more: "Callable[[Any], Any]") -> "NoReturn":
        """In that process, which it ends."""
        letter = self._state
        try:
            end.now()  # the timer that bounds its parent's life is not in this one
            letter.tell(work())
            letter = self._more
            letter.tell(more(self._asked.heard("before it is looked at")))
        except Exception as error:
            letter.tell_why_not(error)
        finally:
            leave(0)

    def state(self) -> "Any":
        """What it tells of the state, once it does. Raises RuntimeError where it could not."""
        return self._state.heard(_STATE, functools.partial(fork.has_ended, self._number))

    def more(self, question: "Any") -> "Any":
        """What else it tells; it has ended then. Raises RuntimeError where it could not."""
        self._asked.tell(question)
        told = self._more.heard(_STATE, functools.partial(fork.has_ended, self._number))
        fork.wait(self._number)
        return told
