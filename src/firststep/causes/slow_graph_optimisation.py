"""Finished graphs are optimised and instantiated before they run.

Symptom: after tracing, the first call still takes long, on one CPU.

Why: Grappler simplifies the graph in several passes, and the runtime places and instantiates every operation of it. It
happens for each function, in each process.

Confirmed by: the CPU time of the calling thread in each function's first call; a session's extension of its graph.

Remedy: boost keeps the optimised graph. By hand: a smaller graph.

Source: `tensorflow/core/grappler/optimizers/meta_optimizer.cc`; the second and the fifth document.
"""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.facts import Facts
from firststep.analyse.graph_work import graph_work
from firststep.analyse.partition import partition
from firststep.analyse.spans import spans_by_kind
from firststep.causes._sessions import by_sessions
from firststep.causes._stretches import of_phases, time_in
from firststep.model.findings import Evidence, Found
from firststep.model.words import count, duration, plain_name

GROUP = "graph"
WATCHED = ("frameworks",)
FACTS = (graph_work, partition, spans_by_kind)
REMEDIES = ("cache-functions",)
SHARE = (0.5, 0.95)
SLOW_NS = 50_000_000


def find(given: Facts) -> Found | None:
    cuts = of_phases(given, phases.OPTIMISATION, share=SHARE)
    work = given(graph_work)
    if time_in(cuts) < SLOW_NS or not work:
        return None
    most, sessions = work[0], by_sessions(given)
    what = "first run" if sessions else "function"
    share = f" {duration(most.optimise_ns + most.instantiate_ns)}" if len(work) > 1 else ""
    return Found("Grappler and instantiation", Evidence(
        f"{count(len(work), what)} in {duration(time_in(cuts))}, {plain_name(most.name)}{share}"),
                 "a smaller graph, and one session for it" if sessions else "boost keeps the optimised graph", "high", cuts,
                 remedies=() if sessions else None)
