"""Functions' first executions, which hold all that a function needs to run, against their later ones."""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import spans
from firststep.model.facts_frameworks import Execution

LATER = "later-call "
STEPS = "steps_per_execution"
LOOPS = ("fit", "evaluate", "predict")  # of Keras


def executions(facts: Facts) -> tuple[Execution, ...]:
    """Costliest first."""
    later = {name.removeprefix(LATER): value for leg in facts(path) for name, value in leg.process.counters.items()
             if name.startswith(LATER)}
    together = _together(facts)
    found = []
    for _, span in spans(facts, "first-call"):
        times, ns = later.get(span.name, (0, 0))
        found.append(Execution(span.name, span.end - span.start, times, ns, together.get(id(span), 1)))
    return tuple(sorted(found, key=lambda one: -one.first_ns))


def _together(facts: Facts) -> dict[int, int]:
    """By the identity of a span: the longest call in each of Keras's loops, which is its step, and how many its model makes at once."""
    found = {}
    for loop in spans(facts, *LOOPS):
        compiled = [one.span.labels.get(STEPS) for one in spans(facts, "model-compile")
                    if one.span.name == loop.span.name and one.span.end <= loop.span.start]
        calls = [one for one in spans(facts, "first-call") if one.process is loop.process and one.span.thread == loop.span.thread
                 and loop.span.start <= one.span.start < loop.span.end]
        if calls and compiled and compiled[-1]:
            found[id(max(calls, key=lambda one: one.span.end - one.span.start).span)] = int(compiled[-1])
    return found
