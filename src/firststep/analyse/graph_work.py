"""What was done to graphs before they could run: optimisation and compilation."""

from __future__ import annotations

from collections import defaultdict

from firststep.analyse.facts import Facts
from firststep.analyse.spans import spans
from firststep.model.facts_frameworks import GraphWork

KINDS = ("graph-optimise", "xla-compile")


def graph_work(facts: Facts) -> tuple[GraphWork, ...]:
    """By function, costliest first; work on any thread."""
    times: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(KINDS, 0))
    for seen in spans(facts, *KINDS):
        times[seen.span.name][seen.span.kind] += seen.span.end - seen.span.start
    work = [GraphWork(name, *(of[kind] for kind in KINDS)) for name, of in times.items()]
    return tuple(sorted(work, key=lambda one: -(one.optimise_ns + one.compile_ns)))
