"""The traces of both sides."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from firststep.diff.start import ComparedStart, start_of
from firststep.report.load import load, traces_in


def sides(before: Sequence[Path], after: Sequence[Path]) -> tuple[list[ComparedStart], list[ComparedStart]]:
    """Each of files and folders of them. Raises FirststepError for what is no trace, and for a side without one."""
    first, second = traces_in(before), traces_in(after)
    return [start_of(load(path)) for path in first], [start_of(load(path)) for path in second]
