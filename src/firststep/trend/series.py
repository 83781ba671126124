"""The history taken apart: what is one program's, started in one way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from firststep.history.store import PastRun
from firststep.trend.change_points import Shift, changes


@dataclass(frozen=True)
class Series:
    """Runs of one program with the same arguments, started in one way; oldest first. title: its name, not yet fit to print."""

    title: str
    runs: tuple[PastRun, ...]
    changes: tuple[Shift, ...]


def series(runs: Sequence[PastRun]) -> list[Series]:
    """The one that ran last comes first."""
    groups: dict[tuple[str, str, str], list[PastRun]] = defaultdict(list)
    for run in runs:
        if run.seconds > 0:
            groups[run.program, run.arguments, _how(run)].append(run)
    found = [Series(" ".join(filter(None, parts)), tuple(members), tuple(changes([run.seconds for run in members])))
             for parts, members in groups.items()]
    return sorted(found, key=lambda one: -one.runs[-1].at)


def _how(run: PastRun) -> str:
    """What is watched costs a few per cent, and what is boosted is another start: such runs are not of one series."""
    if run.boosted:
        return "(boosted)"
    return f"({run.verb})" if run.verb in ("boost", "prove") else ""
