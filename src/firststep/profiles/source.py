"""What a file of another profiler is to those who read it: it says when it began, and gives what it holds."""

from __future__ import annotations

from collections.abc import Set
from typing import Protocol

from firststep.profiles.clocks import Zero
from firststep.profiles.gather import Gather


class UnreadableProfile(Exception):
    """Why a file cannot be read, and what to do about it."""

    def __init__(self, reason: str, act: str = "export it again") -> None:
        super().__init__(reason)
        self.reason, self.act = reason, act


class Source(Protocol):
    """profiler: what it is called; zero: the moment it counts from; pids: of its processes, as far as it says so once it is read."""

    @property
    def profiler(self) -> str: ...
    @property
    def zero(self) -> Zero: ...
    @property
    def pids(self) -> Set[int]: ...
    def read(self, gather: Gather) -> None:
        """Gives every span to `gather`. Raises UnreadableProfile."""
