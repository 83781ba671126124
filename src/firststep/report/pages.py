"""Causes explained: one page each, from the docstring of its module; all of them as docs/causes.md."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from firststep.causes import GROUPS, Cause, all_causes
from firststep.model.resolution import RESOLUTION
from firststep.model.words import count
from firststep.printable import WIDTH, filled

TITLE = "# Causes of a slow start"
WORDS = """Generated from the causes themselves (`src/firststep/causes`); `firststep explain CAUSE` prints one of them. Each finding
of a report names its cause, with what it costs this start, the evidence, the line, and what to do. *Boost* says which remedies of
`firststep boost` remove it with no edit; where none is named, an edit or a setting does. *Measured* is written by
`python benchmarks/remedied.py`: medians of interleaved runs, and the interval that holds the true difference in 97 of 100
experiments."""
MEASURED = Path(__file__).parents[1] / "causes" / "measured.json"  # by cause; benchmarks/remedied.py writes it
NOT_MEASURED = {  # by cause: why there is no before and after
    "all-devices-visible": "needs two GPUs",
    "autotuned-per-shape": "needs a GPU",
    "disabled-cuda-cache": "needs a GPU",
    "driver-not-resident": "needs a GPU whose driver is not kept up",
    "eager-module-loading": "needs a GPU",
    "gpu-not-used": "needs a GPU",
    "kernels-compiled-from-ptx": "needs a GPU that is newer than the build",
    "larger-step-later": "says where else to look, and removes nothing by itself",
    "memory-preallocated": "needs a GPU",
    "ptxas-missing-or-old": "needs a GPU",
    "slow-device-discovery": "needs a GPU: a CPU is found in milliseconds",
    "small-cuda-cache": "needs a GPU that is newer than the build",
    "swapping": "needs a machine that is short of memory, and harms what else runs there",
}
HEADINGS = ("Symptom", "Why", "Confirmed by", "Remedy", "Source", "Measured", "Not measured")
TITLES = 41  # the column in which the list of causes has titles


@cache
def measured() -> Mapping[str, Mapping[str, Any]]:
    """What was measured of remedies, by cause; empty where nothing was."""
    return json.loads(MEASURED.read_text(encoding="utf-8")) if MEASURED.exists() else {}


def in_words(figures: Mapping[str, Any]) -> str:
    """Before and after, by how much they differ, and how that is known."""
    before, after = figures["before_s"], figures["after_s"]
    less, low, high = figures["less_s"]
    if low is None or high is None:
        known = f"{abs(less):.2f} s {'less' if less > 0 else 'more'}, too few pairs for an interval"
    elif low <= 0 <= high:
        shown = "no difference shown" if max(-low, high) <= before * RESOLUTION else "not resolved"
        known = f"{shown} ({low:+.2f} to {high:+.2f} s)"
    else:
        known = f"{abs(less):.2f} s {'less' if less > 0 else 'more'} ({min(abs(low), abs(high)):.2f} to {max(abs(low), abs(high)):.2f})"
    return (f"{figures['program']} from spawn to {figures['until']}, as it is and with the remedy ({figures['with']}): {before:.2f} → "
            f"{after:.2f} s, {known}; {count(figures['pairs'], 'interleaved pair')}. {figures['measured']}; {figures['machine']}.")


def _measured(cause: Cause) -> str:
    if cause.id in measured():
        return f"Measured: {in_words(measured()[cause.id])}"
    return f"Not measured: {NOT_MEASURED[cause.id]}." if cause.id in NOT_MEASURED else ""


def page(cause: Cause) -> str:
    """What `firststep explain` prints."""
    remedies = ", ".join(cause.remedies) or "nothing; an edit or a setting does"
    watched = ", ".join(cause.watched) or "nothing that a plan can leave out"
    parts = (cause.id, cause.page, _measured(cause), f"Boost: {remedies}.", f"Watched by: {watched}.")
    return filled("\n\n".join(filter(None, parts)))


def catalogue() -> str:
    """Every cause with its title, by group."""
    return "\n".join(line for group in GROUPS for line in _group(group))


def _group(group: str) -> Iterator[str]:
    members = [cause for cause in all_causes() if cause.group == group]
    if members:
        yield group
        for cause in members:
            beside, *below = textwrap.wrap(cause.title, WIDTH - TITLES)
            yield f"  {cause.id}".ljust(TITLES) + beside
            yield from (" " * TITLES + line for line in below)


def document() -> str:
    """docs/causes.md."""
    parts = [TITLE, WORDS]
    for group in GROUPS:
        members = [cause for cause in all_causes() if cause.group == group]
        if members:
            parts.append(f"## {group.capitalize()}")
            parts += [_section(cause) for cause in members]
    return "\n\n".join(parts) + "\n"


def _section(cause: Cause) -> str:
    parts = [*cause.page.split("\n\n"), _measured(cause)]
    body = "\n\n".join(_emphasised(part) for part in parts if part)
    boost = ", ".join(f"`{one}`" for one in cause.remedies) or "–"
    return f"### {cause.id}\n\n{body}\n\n*Boost:* {boost}"


def _emphasised(part: str) -> str:
    heading, colon, rest = part.partition(":")
    return f"*{heading}:*{rest}" if colon and heading in HEADINGS else part


if __name__ == "__main__":
    print(document(), end="")
