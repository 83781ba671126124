"""The history taken apart: what is one program's, started in one way, to one moment."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from firststep.history.store import PastRun
from firststep.model.limits import STEP_KINDS
from firststep.trend.change_points import Shift, changes


@dataclass(frozen=True)
class Series:
    """Runs of one program with the same arguments, started in one way, to one moment; oldest first. title: its name, not yet fit to
    print."""

    title: str
    runs: tuple[PastRun, ...]
    changes: tuple[Shift, ...]


def series(runs: Sequence[PastRun]) -> list[Series]:
    """The one that ran last comes first. A run that failed before it was ready is no measurement, and in none."""
    groups: dict[tuple[str, str], list[PastRun]] = defaultdict(list)
    for run in runs:
        if run.seconds > 0 and (run.ready or not run.exit_code):
            groups[_title(run), run.folder].append(run)
    same = Counter(title for title, _ in groups)
    found = [Series(f"{title} in {folder}" if same[title] > 1 and folder else title, tuple(members),
                    tuple(changes([run.seconds for run in members]))) for (title, folder), members in groups.items()]
    return sorted(found, key=lambda one: -one.runs[-1].at)


def _title(run: PastRun) -> str:
    until = "" if run.ready in STEP_KINDS else f"(to {run.ready})" if run.ready else "(to its end)"
    return " ".join(filter(None, (run.program, run.arguments, _how(run), until)))


def _how(run: PastRun) -> str:
    """What is watched costs a few per cent, and what is boosted is another start: such runs are not of one series."""
    if run.boosted:
        return "(boosted)"
    return f"({run.verb})" if run.verb in ("boost", "prove") else ""
