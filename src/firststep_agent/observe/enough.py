"""Which spans of a kind are told that comes again and again: a program that is never ready would fill a disk with them."""

from firststep_agent.clock import now

MOST = 50_000  # that are told, however short
FINE = 1e-4  # of the time so far: later ones are told that are longer


class Enough:
    """Of one kind, in one process."""

    def __init__(self) -> None:
        self._began = now()
        self._told = 0

    def tells(self, start: int, end: int) -> bool:
        """Whether that one is told."""
        if self._told >= MOST and end - start < FINE * (end - self._began):
            return False
        self._told += 1
        return True
