"""What of ours runs at the program's forks, and how it is taken away again, for which Python has no way; how a fork of ours ends.

This is loaded before anything of ours stands in the place of Python's functions.
"""

import gc
from posix import _exit as leave  # Python's own: what stands there later writes down the program's end

from firststep_agent.as_found import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["Forks", "leave"]


class Forks:
    """The handlers of one run."""

    def __init__(self) -> None:
        self._registered: list[tuple[list[Any] | None, Callable[[], object]]] = []

    def register(self, **handlers: "Callable[[], object]") -> "list[Any] | None":
        """As os.register_at_fork. Finds the interpreter's own lists: early, while there are few objects to look through.

        Returns the list that the last of them is in, None where it was not found.
        """
        os.register_at_fork(**handlers)
        found = None
        for handler in handlers.values():
            found = next((each for each in gc.get_referrers(handler) if type(each) is list), None)
            self._registered.append((found, handler))
        return found

    def forget(self) -> None:
        """Nothing of ours runs at a fork from now on."""
        for found, handler in self._registered:
            if found is not None and handler in found:
                found.remove(handler)
        self._registered.clear()
