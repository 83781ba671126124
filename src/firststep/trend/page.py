"""The history as one HTML file that needs nothing else: a plot for each program, with the moments at which something changed."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from html import escape

from firststep.history.store import PastRun
from firststep.model.words import count
from firststep.printable import one_line
from firststep.trend.as_text import change_words
from firststep.trend.series import Series

WIDTH, HEIGHT, EDGE = 900, 200, 48  # pixels
MOST_POINTS = 1000  # of a plot: of more runs, the newest
MOST_PLOTS = 50
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
STYLE = """
:root { color-scheme: light dark; --ink: #1f2328; --faint: #6e7781; --point: #0969da; --change: #bc4c00; --paper: #fff }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --faint: #8d96a0; --point: #4493f8; --change: #f0883e; --paper: #0d1117 }
}
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 960px; margin: 2rem auto;
  padding: 0 1rem }
h2 { font-size: 1rem; overflow-wrap: anywhere }
svg { width: 100%; height: auto }
text { fill: var(--faint); font-size: 12px }
circle { fill: var(--point) }
line { stroke: var(--faint) }
.change { stroke: var(--change); stroke-dasharray: 4 3 }
.level { stroke: var(--point) }
"""


def page(found: Sequence[Series]) -> str:
    """The document."""
    plots = "\n".join(_section(one) for one in found[:MOST_PLOTS])
    more = f"<p>{count(len(found) - MOST_PLOTS, 'more program')} left out.</p>" if len(found) > MOST_PLOTS else ""
    return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"><title>firststep history</title><style>{STYLE}</style></head>\n'
            f"<body><main><h1>Time to first step</h1>\n{plots or '<p>There is no run yet.</p>'}\n{more}</main></body></html>\n")


def _section(one: Series) -> str:
    runs = one.runs[-MOST_POINTS:]
    skipped = len(one.runs) - len(runs)
    title = escape(one_line(one.title))
    words = "".join(f"<li>{escape(line.strip())}</li>" for line in change_words(one))
    left_out = f" (the newest {MOST_POINTS:,} shown)" if skipped else ""
    middle = statistics.median(run.seconds for run in one.runs)
    return (f"<section><h2>{title}</h2><p>{count(len(one.runs), 'run')}{left_out}, median {middle:.2f} s</p>"
            f"{_drawing(title, runs, [change.index - skipped for change in one.changes])}<ul>{words}</ul></section>")


def _drawing(title: str, runs: Sequence[PastRun], changes: Sequence[int]) -> str:
    most = max(run.seconds for run in runs) * 1.05
    across = (WIDTH - 2 * EDGE) / max(1, len(runs) - 1)

    def x(index: float) -> float:
        return EDGE + index * across

    def y(seconds: float) -> float:
        return HEIGHT - 20 - (HEIGHT - 40) * seconds / most

    points = "".join(f'<circle cx="{x(index):.1f}" cy="{y(run.seconds):.1f}" r="3"><title>{_told(run)}</title></circle>'
                     for index, run in enumerate(runs))
    shown = [index for index in changes if index > 0]
    lines = "".join(f'<line class="change" x1="{at:.1f}" x2="{at:.1f}" y1="20" y2="{HEIGHT - 20}"/>'
                    for index in shown for at in [x(index - 0.5)])
    levels = "".join(
        f'<line class="level" x1="{x(low):.1f}" x2="{x(high - 1):.1f}" y1="{y(middle):.1f}" y2="{y(middle):.1f}"/>'
        for low, high in zip([0, *shown], [*shown, len(runs)])
        for middle in [statistics.median(run.seconds for run in runs[low:high])])
    axis = (f'<line x1="{EDGE}" x2="{WIDTH - EDGE}" y1="{y(0)}" y2="{y(0)}"/><text x="0" y="{y(0)}">0 s</text>'
            f'<text x="0" y="{y(most / 1.05):.1f}">{most / 1.05:.1f} s</text><text x="{EDGE}" y="{HEIGHT - 4}">{_when(runs[0])}</text>'
            f'<text x="{WIDTH - EDGE}" y="{HEIGHT - 4}" text-anchor="end">{_when(runs[-1])}</text>')
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="times of {title}">{axis}{lines}{levels}{points}</svg>'


def _told(run: PastRun) -> str:
    return escape(one_line(f"{_when(run)}, {run.seconds:.2f} s, {run.verb}, {run.frameworks or 'Python ' + run.python}"))


def _when(run: PastRun) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(run.at))
