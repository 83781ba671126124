"""Garbage is collected over and over while the program's own code runs.

Symptom: the program prepares its data or its files for seconds before the first step, and much of that is no work of its own.

Why: `gc.collect()` walks through every object there is, and after TensorFlow's import there are a million of them. Or the program makes
so many objects, as lists of rows or dictionaries by the million, that Python looks for garbage among them again and again.

Confirmed by: the collector's own callbacks: each collection on the main thread is timed, and is the program's wish where not as many
new objects have been made as let Python collect by itself. One that a library's function asks for, as Keras's `clear_session` does, is not.

Remedy: no `gc.collect()` before the first step; arrays instead of lists of objects; or `gc.disable()` before the code that makes them,
and `gc.enable()` after it. Boost does not touch what the program asks for.

Source: CPython's `gc` module.
"""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.collections import interruptions
from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.user_lines import line_between, stack_lines
from firststep.causes.gc_during_startup import is_paused
from firststep.model.facts import Interruption
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.words import count, duration

GROUP = "import"
WATCHED = ("garbage-collection",)
FACTS = (interruptions, partition, path, stack_lines)
REMEDIES: tuple[str, ...] = ()
OWN = (phases.USER, phases.LIBRARIES)
ASKED_SHARE, BY_ITSELF_SHARE = (0.9, 1.0), (0.3, 1.0)  # by itself: what is made and kept has to be looked at once, at least
LEAST_NS = 100_000_000


def find(given: Facts) -> Found | None:
    own = [one for one in given(interruptions) if not one.by_library and (one.asked or one.phase in OWN and not is_paused(one))]
    asked = [one for one in own if one.asked]
    mine = asked if 2 * _time(asked) >= _time(own) else [one for one in own if not one.asked]
    if _time(mine) < LEAST_NS:
        return None
    share = ASKED_SHARE if mine is asked else BY_ITSELF_SHARE
    longest = max(mine, key=lambda one: one.ns).piece
    line = line_between(given, longest.process, longest.start, longest.end) if longest.process else None
    found = f"{count(sum(one.times for one in mine), 'collection')} took {duration(_time(mine) + sum(one.more_ns for one in mine))}"
    cuts = tuple(Cut(one.piece.start, one.piece.end, *share) for one in mine)
    if mine is asked:
        return Found("your program asks for it", Evidence(found, line), "no gc.collect() before the first step", "high", cuts)
    return Found("among your own objects", Evidence(found, line), "arrays of numbers; or gc.disable() meanwhile",
                 "medium", cuts)


def _time(found: list[Interruption]) -> int:
    return sum(one.ns for one in found)
