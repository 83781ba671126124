"""What the function cache keeps, function by function, as its entries and their proofs tell it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from firststep_agent.boost.cache_functions.keep import entries


@dataclass(frozen=True)
class KeptFunction:
    """One function that can be answered. entry: the name of its file; confirmed: whether it is; proved: how many answers were;
    last: when, seconds since 1970; bad: whether one turned out wrong."""

    entry: str
    function: str
    confirmed: bool
    proved: int
    last: float
    bad: bool


def all_functions(root: Path) -> Iterator[KeptFunction]:
    """Every entry that answers, or will; optimised graphs that are found by content need no proof and are left out."""
    for path in sorted((root / "cache-functions").glob(f"*/*{entries.SUFFIX}")):
        entry = entries.read(str(path))
        if entry is None or "manifest" not in entry.header:
            continue
        trust = entries.Trust.read(str(path.with_suffix(entries.TRUST)))
        yield KeptFunction(path.stem, str(entry.header["function"]), trust.confirmed, trust.proved, trust.last,
                           path.with_suffix(".bad").exists())
