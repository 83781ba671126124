"""The history taken apart: what is one program's, started in one way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from firststep.history.store import Run
from firststep.trend.change_points import Change, changes


@dataclass(frozen=True)
class Series:
    """Runs of one program with the same arguments, all boosted or none; oldest first. title: its name, not yet fit to print."""

    title: str
    runs: tuple[Run, ...]
    changes: tuple[Change, ...]


def series(runs: Sequence[Run]) -> list[Series]:
    """The one that ran last comes first."""
    groups: dict[tuple[str, str, bool], list[Run]] = defaultdict(list)
    for run in runs:
        if run.seconds > 0:
            groups[run.program, run.arguments, run.boosted].append(run)
    found = [Series(" ".join(filter(None, (program, arguments, "(boosted)" if boosted else ""))), tuple(members),
                    tuple(changes([run.seconds for run in members])))
             for (program, arguments, boosted), members in groups.items()]
    return sorted(found, key=lambda one: -one.runs[-1].at)
