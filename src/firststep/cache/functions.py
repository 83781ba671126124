"""What the function cache keeps, function by function, as its entries and their proofs tell it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from firststep_agent.boost import store
from firststep_agent.boost.cache_functions.keep import entries, nearest
from firststep_agent.boost.folders import root as open_root
from firststep_agent.boost.upkeep import files

FOLDER = "cache-functions"


@dataclass(frozen=True)
class KeptFunction:
    """One function that can be answered. program: that learned it; confirmed: whether it is; proved: how many answers were; last: when,
    seconds since 1970; bad: whether one turned out wrong."""

    function: str
    program: str
    confirmed: bool
    proved: int
    last: float
    bad: bool


@dataclass(frozen=True)
class Learned:
    """Why a function of a program was learned, when it was for the last time. learned: seconds since 1970."""

    function: str
    program: str
    reason: str
    learned: float


def why_learned(root: Path) -> Iterator[Learned]:
    """One of each function. Raises store.Unsafe."""
    for function, program, reason, learned in nearest.reasons(entries.Functions(str(root)).described()):
        yield Learned(str(function), str(program), str(reason), float(learned))


def all_functions(root: Path) -> Iterator[KeptFunction]:
    """Every entry that answers, or will; optimised graphs that are found by content need no proof and are left out. Raises store.Unsafe."""
    kept = entries.Functions(str(root))
    for found in files(open_root(str(root)), [FOLDER]):
        if not found.is_entry:
            continue
        try:
            with found.open() as file:
                entry = entries.decoded(store.read_entry(file))
        except (store.Damaged, OSError, ValueError):
            continue
        if entry is None or not entry.header.answers_unseen:
            continue
        trust = kept.trust(entry)
        bad = root.joinpath(*found.parts).with_suffix(store.BAD).exists()
        yield KeptFunction(entry.header.function, entry.program, trust.confirmed, trust.proved, trust.last, bad)
