"""How much of a start a page holds. What does not fit is left out, the smallest first, and said."""

from __future__ import annotations

from dataclasses import dataclass

PAGE = 1_400_000  # bytes of a page
LANES = 60  # threads
DEPTH = 40  # rows of one thread
STACK = 150  # frames of one stack
STRETCHES = 300  # of one finding
SOURCE_LINES = 1500
NOTES = 30


@dataclass(frozen=True)
class Limits:
    """For each start of the page."""

    spans: int = 14_000
    strip: int = 5_000  # pieces of a strip
    nodes: int = 6_000  # of a tree
    rows: int = 250  # of a table

    def scaled(self, factor: float) -> Limits:
        """The same for a page that is so much smaller."""
        return Limits(*(max(20, int(value * factor)) for value in (self.spans, self.strip, self.nodes, self.rows)))
