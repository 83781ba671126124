"""Python's garbage collector runs over and over during the start.

Symptom: a fifth of `import tensorflow` is spent in collections that free next to nothing.

Why: a start makes hundreds of thousands of objects that live as long as the program. Each time enough new ones exist,
Python walks through them in search of garbage that is not there.

Confirmed by: the collector's own callbacks: each collection on the main thread is timed. Counted are those during imports, and the full
ones that come by themselves before the first step and find next to nothing; what the program's own code makes Python do is
`gc-in-your-code`, garbage of its own with it: without those collections its memory would grow, where boost ends the pause.

Remedy: boost pauses the collector while libraries are imported, and keeps full collections off until the first step. By hand:
`gc.disable()` in the first line, `gc.enable()` after the first step.

Source: CPython's `gc` module; measured on `import tensorflow` (docs/benchmarks.md).
"""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.collections import interruptions
from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.user_lines import line_between, stack_lines
from firststep.model.facts import Interruption
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.words import count, duration

GROUP = "import"
WATCHED = ("garbage-collection",)
FACTS = (interruptions, partition, path, stack_lines)
REMEDIES = ("pause-garbage-collection",)
NEXT_TO_NOTHING = 1000  # objects
WHILE_IMPORTED = "boost pauses the collector while libraries are imported"
UNTIL_READY = "boost keeps full collections off until the first step"
SHARE = (0.9, 1.0)  # of those collections; a few come before the remedy is there, or after it ended early


def find(given: Facts) -> Found | None:
    paused = [one for one in given(interruptions) if is_paused(one)]
    if not paused:
        return None
    within = sum(one.ns for one in paused if one.phase == phases.IMPORTS)
    whole, times = sum(one.ns + one.more_ns for one in paused), sum(one.times for one in paused)
    middle = f", {duration(within)} during imports" if within else ""
    longest = max(paused, key=lambda one: one.ns)
    at = longest.piece
    line = line_between(given, at.process, at.start, at.end) if at.process and longest.phase != phases.IMPORTS else None
    return Found("Python looks for garbage", Evidence(f"{count(times, 'collection')} took {duration(whole)}{middle}", line),
                 WHILE_IMPORTED if 2 * within >= whole else UNTIL_READY, "high",
                 tuple(Cut(one.piece.start, one.piece.end, *SHARE) for one in paused))


def is_paused(one: Interruption) -> bool:
    """Whether boost would keep that collection off."""
    return not one.asked and (one.phase == phases.IMPORTS or one.full and one.garbage <= NEXT_TO_NOTHING)
