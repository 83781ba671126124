"""Loading a model or its weights is a large part of the start.

Symptom: seconds between the import and the first prediction.

Why: the file is read, the model is built from its description, variables are made and initialised, and then given the values
that were read.

Confirmed by: the time of the outermost load, with its bytes.

Remedy: boost makes the assignments shorter. By hand: load once and keep the process.

Source: the first and the second document.
"""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.facts import Facts
from firststep.analyse.loads import loads
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.user_lines import line_between, stack_lines
from firststep.causes._stretches import of_phases
from firststep.model.facts_frameworks import Load
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.words import duration, file_name, size

GROUP = "weights"
WATCHED = ("frameworks",)
FACTS = (loads, partition, path, stack_lines)
REMEDIES = ("run-operations-directly",)
SLOW_NS = 200_000_000
SHARE = (0.0, 0.4)  # of the reading and the assignments


def find(given: Facts) -> Found | None:
    found = [one for one in given(loads) if one.ns >= SLOW_NS]
    if not found:
        return None
    most = max(found, key=lambda one: one.ns)
    speed = f", {duration(most.read_ns)} of it reading ({most.megabytes_per_second:.0f} MB/s)" if most.megabytes_per_second else ""
    line = line_between(given, given(path)[-1].process, most.start, most.start + most.ns)
    name = file_name(most.path)
    return Found(f"{size(most.bytes or 0)} loaded" if most.bytes else "a model is loaded", Evidence(
        f"{name} took {duration(most.ns)}{speed}", line), "boost shortens assignments; load once, keep the process", "medium",
        _inside(found, of_phases(given, phases.WEIGHTS, phases.VARIABLES, share=SHARE)))


def _inside(found: list[Load], cuts: tuple[Cut, ...]) -> tuple[Cut, ...]:
    """What of the reading and the assignments belongs to a load: a piece of a phase never crosses a span's edge."""
    return tuple(cut for cut in cuts if any(one.start <= cut.start < one.start + one.ns for one in found))
