"""The history on a terminal: a line a run, or a plot for each program. Names are anybody's."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence

from firststep.history.store import PastRun
from firststep.model.words import count
from firststep.printable import one_line
from firststep.trend.series import Series

HEIGHT = 8  # lines of a plot
WIDTH = 64  # columns of a plot
MOST_PLOTS = 6
POINT, FAR, CHANGE = "*", "^", "|"
FENCE = 3  # Tukey's outer fence
FEWEST = 8  # values of which some can be called far away


def lines(runs: Sequence[PastRun]) -> Iterator[str]:
    """A line a run, oldest first."""
    for run in runs:
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(run.at))
        ended = f"exit code {run.exit_code}" if run.exit_code else run.ready or "its end"
        words = f"{run.program} {run.arguments}" if run.arguments else run.program
        boosted = "  boosted" if run.boosted and run.verb != "boost" else ""
        yield one_line(f"{when}  {run.verb:<6} {run.seconds:8.2f} s  {ended:<8} {words}  {run.frameworks}".rstrip() + boosted)


def plots(found: Sequence[Series]) -> Iterator[str]:
    """The line-drawing of each series of two runs at least, and its changes in words."""
    drawn = [one for one in found if len(one.runs) > 1]
    if found and not drawn:
        yield "no program has two runs yet that could be plotted: firststep history lists them"
    for one in drawn[:MOST_PLOTS]:
        seconds = [run.seconds for run in one.runs]
        drawing = list(plot(seconds, [change.index for change in one.changes]))
        far = f"; {FAR}: more, up to {max(seconds):.2f} s" if any(FAR in line for line in drawing) else ""
        yield one_line(f"{one.title}: {len(one.runs)} runs, median {statistics.median(seconds):.2f} s{far}")
        yield from drawing
        yield from change_words(one)
        yield ""
    if len(drawn) > MOST_PLOTS:
        yield f"{count(len(drawn) - MOST_PLOTS, 'more program')}: firststep history --plot --program NAME"


def change_words(one: Series) -> Iterator[str]:
    """`since 2026-11-20 10:00 12% slower`"""
    for change in one.changes:
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.runs[change.index].at))
        share = change.ratio - 1
        yield f"  since {when} {abs(share):.0%} {'slower' if share > 0 else 'faster'}"


def plot(seconds: Sequence[float], changes: Sequence[int], width: int = WIDTH, height: int = HEIGHT) -> Iterator[str]:
    """seconds, oldest first, from left to right; each column is the median of its runs, a change is a vertical line. What lies far
    above the rest is marked in the topmost row: it would leave no room for anything else."""
    columns = min(width, len(seconds))
    edges = [len(seconds) * column // columns for column in range(columns + 1)]
    medians = [statistics.median(seconds[low:high]) for low, high in zip(edges, edges[1:])]
    low, high = min(medians), _highest(medians)
    step = (high - low) / (height - 1) or 1.0
    rows = [min(round((value - low) / step), height - 1) for value in medians]
    marked = {next(column for column in range(columns) if edges[column + 1] > index) for index in changes}
    for row in range(height - 1 if high > low else 0, -1, -1):
        cells = ((FAR if medians[column] > high else POINT) if rows[column] == row else CHANGE if column in marked else " "
                 for column in range(columns))
        label = f"{low + row * step:8.2f} s" if row in (0, height - 1, height // 2) else ""
        yield f"  {label:>10} {''.join(cells)}".rstrip()


def _highest(values: Sequence[float]) -> float:
    """The largest that lies no farther above the upper quartile than FENCE times the distance of the quartiles."""
    if len(values) < FEWEST:
        return max(values)
    lower, _, upper = statistics.quantiles(values, n=4)
    return max(value for value in values if value <= upper + FENCE * (upper - lower))
